-- A store as version 4 of the tables left it: made once by the program of then, and never changed.
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
CREATE TRIGGER ratings_follow_each_other BEFORE INSERT ON ratings
    WHEN NEW.revision <> 1 + coalesce((
        SELECT max(revision) FROM ratings WHERE bundle = NEW.bundle AND task = NEW.task AND rater = NEW.rater), 0)
    BEGIN SELECT RAISE(ABORT, 'a rating may only follow its last revision'); END;
CREATE TRIGGER ratings_never_change BEFORE UPDATE ON ratings
    BEGIN SELECT RAISE(ABORT, 'ratings are never changed'); END;
CREATE TRIGGER ratings_never_go BEFORE DELETE ON ratings
    BEGIN SELECT RAISE(ABORT, 'ratings are never deleted'); END;
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
INSERT INTO _sqlite_migrations (id, migration_set, name, applied_at) VALUES (1, 'desktop-rater', 'first', '2026-11-20 13:28:02.758059+00:00');
INSERT INTO _sqlite_migrations (id, migration_set, name, applied_at) VALUES (2, 'desktop-rater', 'pages', '2026-11-20 13:28:02.758523+00:00');
INSERT INTO _sqlite_migrations (id, migration_set, name, applied_at) VALUES (3, 'desktop-rater', 'leaving', '2026-11-20 13:28:02.758641+00:00');
INSERT INTO _sqlite_migrations (id, migration_set, name, applied_at) VALUES (4, 'desktop-rater', 'blocked', '2026-11-20 13:28:02.758762+00:00');
INSERT INTO bundles (key, id, revision, title, language, created, rubric, rubric_toml, guidelines, manifest, tasks_sha256, identity, imported, tasks, ready) VALUES (1, 'kelp', 1, 'kelp', '', '2026-11-20T08:00:00Z', 'span-factuality@1', NULL, '', '{
  "created": "2026-11-20T08:00:00Z",
  "files": {
    "tasks.jsonl": {
      "bytes": 423,
      "sha256": "3a12a0bacfcc71b409bbd3164b5b1f52dacd03c48021829ddeefdb0d5d905c10"
    }
  },
  "format": "desktop-rater/bundle",
  "id": "kelp",
  "language": "",
  "revision": 1,
  "rubric": "span-factuality@1",
  "tasks": 2,
  "title": "kelp",
  "version": 1
}
', '3a12a0bacfcc71b409bbd3164b5b1f52dacd03c48021829ddeefdb0d5d905c10', 'b592cc9429e58f5742bc5d67d164ebaeeb663ba84e816e2713aa31fb9e9f87ff', '2026-11-20T12:00:00Z', 2, 1);
INSERT INTO tasks (key, bundle, id, title, line_sha256, targets, line) VALUES (4294967296, 1, 't-1', 'What about t-1?', 'af28a663e940f930d394001b5a8fe60af8988a55b8950814cf3280771f818401', '[{"unknown":{},"id":"s1","response":"a","start":0,"end":22,"quote":"Kelp grows in forests.","prefix":"","suffix":" It is an alga."},{"unknown":{},"id":"s2","response":"a","start":23,"end":37,"quote":"It is an alga.","prefix":"Kelp grows in forests. ","suffix":""}]', X'7B226964223A2022742D31222C202270726F6D7074223A207B2274657874223A2022576861742061626F757420742D313F227D2C2022726573706F6E736573223A205B7B226964223A202261222C202274657874223A20224B656C702067726F777320696E20666F72657374732E20497420697320616E20616C67612E227D5D2C202274617267657473223A205B7B226964223A20227331222C2022726573706F6E7365223A202261222C20227374617274223A20302C2022656E64223A2032322C202271756F7465223A20224B656C702067726F777320696E20666F72657374732E227D2C207B226964223A20227332222C2022726573706F6E7365223A202261222C20227374617274223A2032332C2022656E64223A2033372C202271756F7465223A2022497420697320616E20616C67612E227D5D7D');
INSERT INTO tasks (key, bundle, id, title, line_sha256, targets, line) VALUES (4294967297, 1, 't-2', 'What about t-2?', '003c9880856ee7244c763c08b5bf43b8bacbc8918c845394101a5f47a270ba2b', '[{"unknown":{},"id":"s1","response":"a","start":0,"end":16,"quote":"The sea is salt.","prefix":"","suffix":""}]', X'7B226964223A2022742D32222C202270726F6D7074223A207B2274657874223A2022576861742061626F757420742D323F227D2C2022726573706F6E736573223A205B7B226964223A202261222C202274657874223A2022546865207365612069732073616C742E227D5D7D');
INSERT INTO ratings (key, bundle, task, rater, revision, changed, status, done, sha256, leaving_sha256, body) VALUES (1, 'kelp', 't-1', 'r-17', 1, '2026-11-20T12:00:00Z', 'complete', 'rated from a file', '81a45e489dba6058411e7f5c97c31b4159597ba49719d605d757d87e8753c379', '408e96f29159dc6d15cdc3dacb81f5718689e12d52da05024f7329eef4746283', '{"acknowledged":[],"answers":{"responses":{},"targets":{"s1":{"accuracy":"accurate","common_knowledge":"right","factual":"yes"},"s2":{"factual":"no"}},"task":{}},"borders":{},"changed":"2026-11-20T12:00:00Z","claims":{},"decided":{"targets/s1":{"accuracy":{"by":"common-knowledge-right","is":"accurate"}}},"evidence":[],"links_opened":[],"note":"first","problems":[],"rater":"r-17","revision":1,"rubric":"span-factuality@1","status":"complete","suggestions":{"accepted":0,"changed":0,"ignored":0},"task":"t-1","time":{"active_seconds":0,"idle_seconds":0,"targets":{}}}');
INSERT INTO ratings (key, bundle, task, rater, revision, changed, status, done, sha256, leaving_sha256, body) VALUES (2, 'kelp', 't-2', 'r-17', 1, '2026-11-20T12:00:00Z', 'complete', 'rated from a file', '55132f61c0ebc3fb716aeb0abe81a36059cbca2f043ce825113450e6ef2d33f2', 'b89d9d5cc21b1b5d23a98cf31dda8abd9314346e5538695d8732d19d9fbd72f8', '{"acknowledged":[],"answers":{"responses":{},"targets":{"s1":{"accuracy":"accurate","common_knowledge":"right","factual":"yes"}},"task":{}},"borders":{},"changed":"2026-11-20T12:00:00Z","claims":{},"decided":{"targets/s1":{"accuracy":{"by":"common-knowledge-right","is":"accurate"}}},"evidence":[],"links_opened":[],"note":"all right","problems":[],"rater":"r-17","revision":1,"rubric":"span-factuality@1","status":"complete","suggestions":{"accepted":0,"changed":0,"ignored":0},"task":"t-2","time":{"active_seconds":0,"idle_seconds":0,"targets":{}}}');
INSERT INTO ratings (key, bundle, task, rater, revision, changed, status, done, sha256, leaving_sha256, body) VALUES (3, 'kelp', 't-1', 'r-17', 2, '2026-11-20T12:00:00Z', 'complete', 'rated from a file', '69ff480cd29cbd3803fe7f01df967346fe26e0a6399a35424a0e2a90bbd70ed0', '40891eeed47099030746e2c614d488f437fa7e45bc73fee18e1050480b86eebc', '{"acknowledged":[],"answers":{"responses":{},"targets":{"s1":{"factual":"no"},"s2":{"factual":"no"}},"task":{}},"borders":{},"changed":"2026-11-20T12:00:00Z","claims":{},"decided":{},"evidence":[],"links_opened":[],"note":"second","problems":[],"rater":"r-17","revision":2,"rubric":"span-factuality@1","status":"complete","suggestions":{"accepted":0,"changed":0,"ignored":0},"task":"t-1","time":{"active_seconds":0,"idle_seconds":0,"targets":{}}}');
INSERT INTO heads (bundle, task, rater, rating, revision, position, status, line_sha256, blocking, warnings, answered, total) VALUES ('kelp', 't-1', 'r-17', 3, 2, 0, 'complete', 'af28a663e940f930d394001b5a8fe60af8988a55b8950814cf3280771f818401', 0, 0, 2, 2);
INSERT INTO heads (bundle, task, rater, rating, revision, position, status, line_sha256, blocking, warnings, answered, total) VALUES ('kelp', 't-2', 'r-17', 2, 1, 1, 'complete', '003c9880856ee7244c763c08b5bf43b8bacbc8918c845394101a5f47a270ba2b', 0, 0, 3, 3);
INSERT INTO finished_runs (bundle, rater, first, last) VALUES ('kelp', 'r-17', 0, 1);
INSERT INTO exports (key, bundle, rater, sha256, moment, tasks, complete, skipped, content, supersedes) VALUES (1, 'kelp', 'r-17', '6d4c9f354e8138c4f29410769b38ae320ac84a92e40654e628ce4626b12fbc3b', '2026-11-20T12:00:00Z', 2, 2, 0, '6efe67bc0d603d6b068971cd60af13555ded98f5229a8a6022dd84f42524f08f', NULL);
INSERT INTO state (key, value) VALUES ('last-rater', '"r-17"');
INSERT INTO leaving (rating, task, basis, sha256, form) VALUES (2, 4294967297, '2dd5a05e8f4d266a5289384edfc4686e3a4a427ba4c6bd2934842d0e4354d958', NULL, NULL);
INSERT INTO leaving (rating, task, basis, sha256, form) VALUES (3, 4294967296, '2dd5a05e8f4d266a5289384edfc4686e3a4a427ba4c6bd2934842d0e4354d958', NULL, NULL);
INSERT INTO texts (rowid, prompt, responses, tools) VALUES (4294967296, 'What about t-1?', 'Kelp grows in forests. It is an alga.', '');
INSERT INTO texts (rowid, prompt, responses, tools) VALUES (4294967297, 'What about t-2?', 'The sea is salt.', '');
INSERT INTO texts (texts, rank) VALUES ('automerge', 8);
COMMIT;
PRAGMA user_version = 4;
