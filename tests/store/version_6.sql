-- A store as version 6 of the tables left it: made once by the program of then, and never changed.
PRAGMA application_id = 1146249588;
PRAGMA journal_mode = WAL;
BEGIN;
CREATE TABLE "_sqlite_migrations" (
   "id" INTEGER PRIMARY KEY,
   "migration_set" TEXT,
   "name" TEXT,
   "applied_at" TEXT
);
CREATE UNIQUE INDEX "idx__sqlite_migrations_migration_set_name"
    ON "_sqlite_migrations" ("migration_set", "name");
CREATE TABLE bundles (
        key INTEGER PRIMARY KEY AUTOINCREMENT,
        id TEXT NOT NULL,
        revision INTEGER NOT NULL CHECK (revision >= 1),
        title TEXT NOT NULL,
        language TEXT NOT NULL,
        created TEXT,
        rubric TEXT NOT NULL,
        rubric_toml TEXT,
        guidelines TEXT NOT NULL,
        manifest TEXT NOT NULL,
        tasks_sha256 TEXT NOT NULL,
        identity TEXT NOT NULL,
        imported TEXT NOT NULL,
        tasks INTEGER NOT NULL DEFAULT 0,
        ready INTEGER NOT NULL DEFAULT 0 CHECK (ready IN (0, 1)),
        UNIQUE (id, revision)
    ) STRICT;
CREATE TABLE tasks (
        key INTEGER PRIMARY KEY CHECK (key >> 32 = bundle),
        bundle INTEGER NOT NULL REFERENCES bundles (key) ON DELETE CASCADE,
        position INTEGER NOT NULL GENERATED ALWAYS AS (key & 4294967295) VIRTUAL,
        id TEXT NOT NULL,
        title TEXT NOT NULL,
        line_sha256 TEXT NOT NULL,
        targets TEXT,
        line BLOB NOT NULL,
        UNIQUE (bundle, id)
    ) STRICT;
CREATE VIRTUAL TABLE texts USING fts5 (prompt, responses, tools, tokenize = 'unicode61 remove_diacritics 2');
CREATE TABLE ratings (
        key INTEGER PRIMARY KEY,
        bundle TEXT NOT NULL,
        task TEXT NOT NULL,
        rater TEXT NOT NULL,
        revision INTEGER NOT NULL,
        changed TEXT NOT NULL,
        status TEXT NOT NULL CHECK (status IN ('complete', 'incomplete', 'skipped')),
        done TEXT NOT NULL,
        sha256 TEXT NOT NULL,
        leaving_sha256 TEXT NOT NULL,
        body TEXT NOT NULL,
        UNIQUE (bundle, task, rater, revision)
    ) STRICT;
CREATE TABLE heads (
        bundle TEXT NOT NULL,
        task TEXT NOT NULL,
        rater TEXT NOT NULL,
        rating INTEGER NOT NULL REFERENCES ratings (key),
        revision INTEGER NOT NULL,
        position INTEGER,
        status TEXT NOT NULL CHECK (status IN ('complete', 'incomplete', 'skipped')),
        line_sha256 TEXT,
        blocking INTEGER NOT NULL,
        warnings INTEGER NOT NULL,
        answered INTEGER NOT NULL,
        total INTEGER NOT NULL,
        PRIMARY KEY (bundle, task, rater)
    ) STRICT, WITHOUT ROWID;
CREATE INDEX heads_by_status ON heads (bundle, rater, status, position);
CREATE TABLE finished_runs (
        bundle TEXT NOT NULL,
        rater TEXT NOT NULL,
        first INTEGER NOT NULL,
        last INTEGER NOT NULL CHECK (last >= first),
        PRIMARY KEY (bundle, rater, first)
    ) STRICT, WITHOUT ROWID;
CREATE TABLE exports (
        key INTEGER PRIMARY KEY,
        bundle TEXT NOT NULL,
        rater TEXT NOT NULL,
        sha256 TEXT NOT NULL,
        moment TEXT NOT NULL,
        tasks INTEGER NOT NULL,
        complete INTEGER NOT NULL,
        skipped INTEGER NOT NULL,
        content TEXT NOT NULL,
        supersedes TEXT
    ) STRICT;
CREATE INDEX exports_by_rater ON exports (bundle, rater);
CREATE TABLE state (key TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;
CREATE TABLE snapshots (
        key INTEGER PRIMARY KEY,
        sha256 TEXT NOT NULL UNIQUE,
        url TEXT NOT NULL,
        page TEXT NOT NULL,
        final_url TEXT NOT NULL,
        final_page TEXT NOT NULL,
        fetched TEXT NOT NULL,
        status INTEGER NOT NULL,
        media_type TEXT NOT NULL,
        content TEXT NOT NULL,
        title TEXT NOT NULL,
        site TEXT NOT NULL,
        text TEXT
    ) STRICT;
CREATE INDEX snapshots_by_page ON snapshots (page, fetched);
CREATE INDEX snapshots_by_final_page ON snapshots (final_page, fetched);
CREATE INDEX snapshots_unread ON snapshots (key) WHERE text IS NULL;
CREATE VIRTUAL TABLE page_texts USING fts5 (
        title, text, content = 'snapshots', content_rowid = 'key', tokenize = 'unicode61 remove_diacritics 2');
CREATE TABLE visits (
        key INTEGER PRIMARY KEY,
        bundle TEXT NOT NULL,
        url TEXT NOT NULL,
        page TEXT NOT NULL,
        final_url TEXT NOT NULL,
        final_page TEXT NOT NULL,
        state TEXT NOT NULL,
        status INTEGER NOT NULL,
        fetched TEXT NOT NULL,
        snapshot TEXT
    ) STRICT;
CREATE INDEX visits_by_page ON visits (bundle, page);
CREATE INDEX visits_by_final_page ON visits (bundle, final_page);
CREATE INDEX visits_by_snapshot ON visits (snapshot, bundle);
CREATE TABLE leaving (
        rating INTEGER PRIMARY KEY REFERENCES ratings (key),
        task INTEGER NOT NULL,
        basis TEXT NOT NULL,
        sha256 TEXT,
        form BLOB
    ) STRICT;
CREATE INDEX heads_blocked ON heads (bundle, rater, position)
    WHERE status = 'incomplete' AND total > 0 AND answered = total AND blocking > 0;
CREATE TABLE gold (
        key INTEGER PRIMARY KEY REFERENCES tasks (key) ON DELETE CASCADE,
        sha256 TEXT NOT NULL,
        line BLOB NOT NULL
    ) STRICT;
CREATE TABLE placed (
        key INTEGER PRIMARY KEY REFERENCES tasks (key) ON DELETE CASCADE,
        sha256 TEXT NOT NULL
    ) STRICT;
INSERT INTO _sqlite_migrations (id, migration_set, name, applied_at) VALUES (1, 'desktop-rater', 'first', '2026-11-20 15:43:04.615216+00:00');
INSERT INTO _sqlite_migrations (id, migration_set, name, applied_at) VALUES (2, 'desktop-rater', 'pages', '2026-11-20 15:43:04.615752+00:00');
INSERT INTO _sqlite_migrations (id, migration_set, name, applied_at) VALUES (3, 'desktop-rater', 'leaving', '2026-11-20 15:43:04.615886+00:00');
INSERT INTO _sqlite_migrations (id, migration_set, name, applied_at) VALUES (4, 'desktop-rater', 'blocked', '2026-11-20 15:43:04.616069+00:00');
INSERT INTO _sqlite_migrations (id, migration_set, name, applied_at) VALUES (5, 'desktop-rater', 'gold', '2026-11-20 15:43:04.616252+00:00');
INSERT INTO _sqlite_migrations (id, migration_set, name, applied_at) VALUES (6, 'desktop-rater', 'placed', '2026-11-20 15:43:04.616422+00:00');
INSERT INTO bundles (key, id, revision, title, language, created, rubric, rubric_toml, guidelines, manifest, tasks_sha256, identity, imported, tasks, ready) VALUES (1, 'kelp', 1, 'kelp', '', '2026-11-20T08:00:00Z', 'span-factuality@1', NULL, '', '{
  "created": "2026-11-20T08:00:00Z",
  "files": {
    "gold.jsonl": {
      "bytes": 655,
      "sha256": "0112a07d11362911760a86f8b5613240feaa7b180d515a61f2257011baa3c6e3"
    },
    "tasks.jsonl": {
      "bytes": 515,
      "sha256": "cb3c63e9a164e0e91c202f9501b9960b70705189a47a7d0e87914a7d3c349f31"
    }
  },
  "format": "desktop-rater/bundle",
  "id": "kelp",
  "language": "",
  "practice": true,
  "revision": 1,
  "rubric": "span-factuality@1",
  "tasks": 2,
  "title": "kelp",
  "version": 1
}
', 'cb3c63e9a164e0e91c202f9501b9960b70705189a47a7d0e87914a7d3c349f31', '59d4455a0262b18b661e65ae9a9a31a3a24f2615e4542fe644b54c8ebdf66ee0', '2026-11-20T12:00:00Z', 2, 1);
INSERT INTO tasks (key, bundle, id, title, line_sha256, targets, line) VALUES (4294967296, 1, 't-1', 'What about t-1?', 'af28a663e940f930d394001b5a8fe60af8988a55b8950814cf3280771f818401', '[{"unknown":{},"id":"s1","response":"a","start":0,"end":22,"quote":"Kelp grows in forests.","prefix":"","suffix":" It is an alga."},{"unknown":{},"id":"s2","response":"a","start":23,"end":37,"quote":"It is an alga.","prefix":"Kelp grows in forests. ","suffix":""}]', X'7B226964223A2022742D31222C202270726F6D7074223A207B2274657874223A2022576861742061626F757420742D313F227D2C2022726573706F6E736573223A205B7B226964223A202261222C202274657874223A20224B656C702067726F777320696E20666F72657374732E20497420697320616E20616C67612E227D5D2C202274617267657473223A205B7B226964223A20227331222C2022726573706F6E7365223A202261222C20227374617274223A20302C2022656E64223A2032322C202271756F7465223A20224B656C702067726F777320696E20666F72657374732E227D2C207B226964223A20227332222C2022726573706F6E7365223A202261222C20227374617274223A2032332C2022656E64223A2033372C202271756F7465223A2022497420697320616E20616C67612E227D5D7D');
INSERT INTO tasks (key, bundle, id, title, line_sha256, targets, line) VALUES (4294967297, 1, 't-2', 'What about t-2?', '195393f7527e45727a3dc8655d9055ec787f156130ab8bd84de961dd338d9124', '[{"unknown":{},"id":"s1","response":"a","start":0,"end":14,"quote":"Kelp is brown.","prefix":"","suffix":""}]', X'7B226964223A2022742D32222C202270726F6D7074223A207B2274657874223A2022576861742061626F757420742D323F227D2C2022726573706F6E736573223A205B7B226964223A202261222C202274657874223A20224B656C702069732062726F776E2E227D5D2C202274617267657473223A205B7B226964223A20227331222C2022726573706F6E7365223A202261222C20227374617274223A20302C2022656E64223A2031342C202271756F7465223A20224B656C702069732062726F776E2E227D5D7D');
INSERT INTO ratings (key, bundle, task, rater, revision, changed, status, done, sha256, leaving_sha256, body) VALUES (1, 'kelp', 't-1', 'r-17', 1, '2026-11-20T12:00:00Z', 'complete', 'rated from a file', '372bc55a40046dc2c2cd192214480b1ebcd208e27a7900b95eb4153e723ab936', 'bdbc04964ac8a0e49a752b4f3c1a49f9edb8a8bae00bc9d2b04daf2a14b2d02f', '{"acknowledged":[],"answers":{"responses":{},"targets":{"s1":{"accuracy":"accurate","common_knowledge":"right","factual":"yes"},"s2":{"accuracy":"accurate","common_knowledge":"right","factual":"yes"}},"task":{}},"borders":{},"changed":"2026-11-20T12:00:00Z","claims":{},"decided":{"targets/s1":{"accuracy":{"by":"common-knowledge-right","is":"accurate"}},"targets/s2":{"accuracy":{"by":"common-knowledge-right","is":"accurate"}}},"evidence":[],"links_opened":[],"note":"first","problems":[],"rater":"r-17","revision":1,"rubric":"span-factuality@1","status":"complete","suggestions":{"accepted":0,"changed":0,"ignored":0},"task":"t-1","time":{"active_seconds":0,"idle_seconds":0,"targets":{}}}');
INSERT INTO ratings (key, bundle, task, rater, revision, changed, status, done, sha256, leaving_sha256, body) VALUES (2, 'kelp', 't-1', 'r-17', 2, '2026-11-20T12:00:00Z', 'complete', 'rated from a file', 'fb693b59a251583329ee65b11cb9e2efebec6ea7f111782d3580c26f055a170a', 'c92cfad8af770221ef7dfeb038788243bdd99cc446c0d59a6eb726423a3bc737', '{"acknowledged":[],"answers":{"responses":{},"targets":{"s1":{"accuracy":"accurate","common_knowledge":"right","factual":"yes"},"s2":{"accuracy":"accurate","common_knowledge":"right","factual":"yes"}},"task":{}},"borders":{},"changed":"2026-11-20T12:00:00Z","claims":{},"decided":{"targets/s1":{"accuracy":{"by":"common-knowledge-right","is":"accurate"}},"targets/s2":{"accuracy":{"by":"common-knowledge-right","is":"accurate"}}},"evidence":[],"links_opened":[],"note":"second","problems":[],"rater":"r-17","revision":2,"rubric":"span-factuality@1","status":"complete","suggestions":{"accepted":0,"changed":0,"ignored":0},"task":"t-1","time":{"active_seconds":0,"idle_seconds":0,"targets":{}}}');
INSERT INTO ratings (key, bundle, task, rater, revision, changed, status, done, sha256, leaving_sha256, body) VALUES (3, 'kelp', 't-2', 'r-17', 1, '2026-11-20T12:00:00Z', 'complete', 'rated from a file', 'ee73860bdf91a9bfeadc39d385bd8c09b3be4809fec8a5569041e0664462dfc7', 'fa813656ed873b726e72eee015284b3a8428d3ef29530cd24ae6a63029047cba', '{"acknowledged":[],"answers":{"responses":{},"targets":{"s1":{"accuracy":"accurate","common_knowledge":"right","factual":"yes"}},"task":{}},"borders":{},"changed":"2026-11-20T12:00:00Z","claims":{},"decided":{"targets/s1":{"accuracy":{"by":"common-knowledge-right","is":"accurate"}}},"evidence":[],"links_opened":[],"note":"","problems":[],"rater":"r-17","revision":1,"rubric":"span-factuality@1","status":"complete","suggestions":{"accepted":0,"changed":0,"ignored":0},"task":"t-2","time":{"active_seconds":0,"idle_seconds":0,"targets":{}}}');
INSERT INTO heads (bundle, task, rater, rating, revision, position, status, line_sha256, blocking, warnings, answered, total) VALUES ('kelp', 't-1', 'r-17', 2, 2, 0, 'complete', 'af28a663e940f930d394001b5a8fe60af8988a55b8950814cf3280771f818401', 0, 0, 6, 6);
INSERT INTO heads (bundle, task, rater, rating, revision, position, status, line_sha256, blocking, warnings, answered, total) VALUES ('kelp', 't-2', 'r-17', 3, 1, 1, 'complete', '195393f7527e45727a3dc8655d9055ec787f156130ab8bd84de961dd338d9124', 0, 0, 3, 3);
INSERT INTO finished_runs (bundle, rater, first, last) VALUES ('kelp', 'r-17', 0, 1);
INSERT INTO exports (key, bundle, rater, sha256, moment, tasks, complete, skipped, content, supersedes) VALUES (1, 'kelp', 'r-17', '608d6f41868676d399b9d4448f3f0e0c3e9f19e767c03c87b5e5df7b0235b5ad', '2026-11-20T12:00:00Z', 2, 2, 0, '9e00e537eed42db86f574039f042dbfd2e32e5c8165a2c2388b02e6dd48865c9', NULL);
INSERT INTO state (key, value) VALUES ('last-rater', '"r-17"');
INSERT INTO leaving (rating, task, basis, sha256, form) VALUES (2, 4294967296, '440487c0f42c642e7258477d50bd23096c61ac660a09b5698362bb3b7f2ff67b', NULL, NULL);
INSERT INTO leaving (rating, task, basis, sha256, form) VALUES (3, 4294967297, '440487c0f42c642e7258477d50bd23096c61ac660a09b5698362bb3b7f2ff67b', NULL, NULL);
INSERT INTO gold (key, sha256, line) VALUES (4294967296, '1a8ebb4b6fd7112f93893db92631f481634a68a37fe7c6623dfebd9bf050a4f2', X'7B2261636B6E6F776C6564676564223A5B5D2C22616E7377657273223A7B22726573706F6E736573223A7B7D2C2274617267657473223A7B227331223A7B226163637572616379223A226163637572617465222C22636F6D6D6F6E5F6B6E6F776C65646765223A227269676874222C226661637475616C223A22796573227D2C227332223A7B226163637572616379223A226163637572617465222C22636F6D6D6F6E5F6B6E6F776C65646765223A227269676874222C226661637475616C223A22796573227D7D2C227461736B223A7B7D7D2C22626F7264657273223A7B7D2C22636C61696D73223A7B7D2C2264656369646564223A7B22746172676574732F7331223A7B226163637572616379223A7B226279223A22636F6D6D6F6E2D6B6E6F776C656467652D7269676874222C226973223A226163637572617465227D7D2C22746172676574732F7332223A7B226163637572616379223A7B226279223A22636F6D6D6F6E2D6B6E6F776C656467652D7269676874222C226973223A226163637572617465227D7D7D2C2265766964656E6365223A5B5D2C226C696E6B735F6F70656E6564223A5B5D2C226E6F7465223A22222C2270726F626C656D73223A5B5D2C227261746572223A22676F6C64222C227265766973696F6E223A302C22727562726963223A227370616E2D6661637475616C6974794031222C22737461747573223A22636F6D706C657465222C2273756767657374696F6E73223A7B226163636570746564223A302C226368616E676564223A302C2269676E6F726564223A307D2C227461736B223A22742D31222C2274696D65223A7B226163746976655F7365636F6E6473223A302C2269646C655F7365636F6E6473223A302C2274617267657473223A7B7D7D7D');
INSERT INTO placed (key, sha256) VALUES (4294967296, '7bdd790552b45bad88938329967d666d915c28c200361c7c07488b478a205694');
INSERT INTO placed (key, sha256) VALUES (4294967297, 'eff0b91cc3a606cb3accc83be659400e69606245ebffe9398a02567c5ae3fe41');
INSERT INTO texts (rowid, prompt, responses, tools) VALUES (4294967296, 'What about t-1?', 'Kelp grows in forests. It is an alga.', '');
INSERT INTO texts (rowid, prompt, responses, tools) VALUES (4294967297, 'What about t-2?', 'Kelp is brown.', '');
INSERT INTO texts (texts, rank) VALUES ('automerge', 8);
CREATE TRIGGER ratings_follow_each_other BEFORE INSERT ON ratings
    WHEN NEW.revision <> 1 + coalesce((
        SELECT max(revision) FROM ratings WHERE bundle = NEW.bundle AND task = NEW.task AND rater = NEW.rater), 0)
    BEGIN SELECT RAISE(ABORT, 'a rating may only follow its last revision'); END;
CREATE TRIGGER ratings_never_change BEFORE UPDATE ON ratings
    BEGIN SELECT RAISE(ABORT, 'ratings are never changed'); END;
CREATE TRIGGER ratings_never_go BEFORE DELETE ON ratings
    BEGIN SELECT RAISE(ABORT, 'ratings are never deleted'); END;
COMMIT;
PRAGMA user_version = 6;
