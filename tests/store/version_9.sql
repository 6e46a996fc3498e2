-- A store as version 9 of the tables left it: made once by the program of then, and never changed.
PRAGMA application_id = 1146249588;
PRAGMA journal_mode = WAL;
BEGIN;
CREATE TABLE "_sqlite_migrations" (
   "id" INTEGER PRIMARY KEY,
   "migration_set" TEXT,
   "name" TEXT,
   "applied_at" TEXT
);
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
    ) STRICT
    ;
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
    ) STRICT
    ;
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
    ) STRICT
    ;
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
    ) STRICT, WITHOUT ROWID
    ;
CREATE TABLE finished_runs (
        bundle TEXT NOT NULL,
        rater TEXT NOT NULL,
        first INTEGER NOT NULL,
        last INTEGER NOT NULL CHECK (last >= first),
        PRIMARY KEY (bundle, rater, first)
    ) STRICT, WITHOUT ROWID
    ;
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
    ) STRICT
    ;
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
    ) STRICT
    ;
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
    ) STRICT
    ;
CREATE TABLE leaving (
        rating INTEGER PRIMARY KEY REFERENCES ratings (key),
        task INTEGER NOT NULL,
        basis TEXT NOT NULL,
        sha256 TEXT,
        form BLOB
    ) STRICT
;
CREATE TABLE gold (
        key INTEGER PRIMARY KEY REFERENCES tasks (key) ON DELETE CASCADE,
        sha256 TEXT NOT NULL,
        line BLOB NOT NULL
    ) STRICT
;
CREATE TABLE placed (
        key INTEGER PRIMARY KEY REFERENCES tasks (key) ON DELETE CASCADE,
        sha256 TEXT NOT NULL
    ) STRICT
;
CREATE TABLE received (
        key INTEGER PRIMARY KEY AUTOINCREMENT,
        sha256 TEXT NOT NULL UNIQUE,
        bundle TEXT NOT NULL,
        rater TEXT NOT NULL,
        supersedes TEXT,
        manifest TEXT NOT NULL,
        rubric_toml TEXT,
        file TEXT NOT NULL,
        arrived TEXT NOT NULL,
        ready INTEGER NOT NULL DEFAULT 0 CHECK (ready IN (0, 1)),
        row_sha256 TEXT NOT NULL
    ) STRICT
    ;
CREATE TABLE task_texts (sha256 TEXT PRIMARY KEY, line BLOB NOT NULL) STRICT, WITHOUT ROWID;
CREATE TABLE received_ratings (
        key INTEGER PRIMARY KEY,
        results INTEGER NOT NULL REFERENCES received (key) ON DELETE CASCADE,
        task TEXT NOT NULL,
        text TEXT NOT NULL REFERENCES task_texts (sha256),
        revision INTEGER NOT NULL,
        sha256 TEXT NOT NULL,
        row_sha256 TEXT NOT NULL,
        digest BLOB NOT NULL,
        history TEXT NOT NULL,
        body BLOB NOT NULL,
        UNIQUE (results, task)
    ) STRICT
    ;
CREATE TABLE reviews (
        key INTEGER PRIMARY KEY,
        bundle TEXT NOT NULL,
        subject TEXT NOT NULL,
        lead TEXT NOT NULL,
        revision INTEGER NOT NULL,
        changed TEXT NOT NULL,
        sha256 TEXT NOT NULL,
        body TEXT NOT NULL,
        UNIQUE (bundle, subject, revision)
    ) STRICT
    ;
CREATE TABLE hubs (
        project TEXT PRIMARY KEY,
        title TEXT NOT NULL,
        url TEXT NOT NULL UNIQUE,
        user TEXT NOT NULL,
        connected TEXT NOT NULL,
        verified TEXT NOT NULL DEFAULT '',
        asked TEXT NOT NULL DEFAULT '',
        skew REAL,
        paused_kind TEXT NOT NULL DEFAULT '',
        paused TEXT NOT NULL DEFAULT '',
        current INTEGER NOT NULL DEFAULT 0 CHECK (current IN (0, 1))
    , lead_key TEXT NOT NULL DEFAULT '') STRICT
    ;
CREATE TABLE outbox (
        key INTEGER PRIMARY KEY,
        project TEXT NOT NULL REFERENCES hubs (project) ON DELETE CASCADE,
        kind TEXT NOT NULL CHECK (kind IN ('results', 'key', 'bundle', 'assignment', 'returned')),
        rater TEXT NOT NULL,
        bundle TEXT NOT NULL,
        revision INTEGER NOT NULL,
        name TEXT NOT NULL,
        sha256 TEXT NOT NULL,
        size INTEGER NOT NULL,
        made_of TEXT NOT NULL,
        state TEXT NOT NULL CHECK (state IN ('queued', 'uploading', 'uploaded', 'verified', 'failed')),
        attempts INTEGER NOT NULL DEFAULT 0,
        next_try TEXT NOT NULL DEFAULT '',
        error_kind TEXT NOT NULL DEFAULT '',
        last_error TEXT NOT NULL DEFAULT '',
        queued TEXT NOT NULL,
        changed TEXT NOT NULL,
        row_sha256 TEXT NOT NULL,
        UNIQUE (project, name)
    ) STRICT
    ;
CREATE TABLE inbox (
        key INTEGER PRIMARY KEY,
        project TEXT NOT NULL REFERENCES hubs (project) ON DELETE CASCADE,
        kind TEXT NOT NULL CHECK (kind IN ('assignment', 'returned', 'results')),
        rater TEXT NOT NULL,
        name TEXT NOT NULL,
        file TEXT NOT NULL,
        sha256 TEXT NOT NULL,
        size INTEGER NOT NULL,
        bundle TEXT NOT NULL,
        revision INTEGER NOT NULL,
        title TEXT NOT NULL,
        tasks INTEGER NOT NULL,
        state TEXT NOT NULL CHECK (state IN ('seen', 'fetched', 'taken', 'refused')),
        last_error TEXT NOT NULL DEFAULT '',
        changed TEXT NOT NULL, signed TEXT NOT NULL DEFAULT '' CHECK (signed IN ('', 'lead', 'foreign', 'unsigned')),
        UNIQUE (project, rater, name)
    ) STRICT
    ;
CREATE TABLE rater_keys (
        rater TEXT NOT NULL,
        key TEXT NOT NULL,
        project TEXT NOT NULL,
        seen TEXT NOT NULL,
        PRIMARY KEY (rater, key, project)
    ) STRICT, WITHOUT ROWID
    ;
CREATE TABLE signatures (
        results INTEGER PRIMARY KEY REFERENCES received (key) ON DELETE CASCADE,
        state TEXT NOT NULL CHECK (state IN ('signed', 'altered', 'unsigned')),
        key TEXT NOT NULL,
        row_sha256 TEXT NOT NULL
    ) STRICT
    ;
CREATE TABLE key_events (
        key INTEGER PRIMARY KEY,
        rater TEXT NOT NULL,
        public TEXT NOT NULL,
        project TEXT NOT NULL,
        what TEXT NOT NULL CHECK (what IN ('introduced', 'called back')),
        by TEXT NOT NULL,
        reason TEXT NOT NULL,
        moment TEXT NOT NULL
    ) STRICT
    ;
CREATE TABLE bundle_events (
        key INTEGER PRIMARY KEY,
        bundle TEXT NOT NULL,
        what TEXT NOT NULL CHECK (what IN ('revision', 'put away', 'brought back')),
        revision INTEGER NOT NULL,
        reason TEXT NOT NULL,
        moment TEXT NOT NULL
    ) STRICT
    ;
CREATE TABLE page_origins (
        key INTEGER PRIMARY KEY,
        snapshot TEXT NOT NULL,
        origin TEXT NOT NULL CHECK (origin IN ('fetched', 'bundle', 'results')),
        bundle TEXT NOT NULL,
        rater TEXT NOT NULL,
        results TEXT NOT NULL,
        arrived TEXT NOT NULL,
        UNIQUE (snapshot, origin, bundle, rater, results)
    ) STRICT
    ;
CREATE UNIQUE INDEX "idx__sqlite_migrations_migration_set_name"
    ON "_sqlite_migrations" ("migration_set", "name");
CREATE INDEX heads_by_status ON heads (bundle, rater, status, position);
CREATE INDEX exports_by_rater ON exports (bundle, rater);
CREATE INDEX snapshots_by_page ON snapshots (page, fetched);
CREATE INDEX snapshots_by_final_page ON snapshots (final_page, fetched);
CREATE INDEX snapshots_unread ON snapshots (key) WHERE text IS NULL;
CREATE INDEX visits_by_page ON visits (bundle, page);
CREATE INDEX visits_by_final_page ON visits (bundle, final_page);
CREATE INDEX visits_by_snapshot ON visits (snapshot, bundle);
CREATE INDEX heads_blocked ON heads (bundle, rater, position)
    WHERE status = 'incomplete' AND total > 0 AND answered = total AND blocking > 0
;
CREATE INDEX received_by_bundle ON received (bundle, rater);
CREATE UNIQUE INDEX hubs_current ON hubs (current) WHERE current;
CREATE INDEX outbox_by_state ON outbox (project, state);
CREATE INDEX bundle_events_by_bundle ON bundle_events (bundle, key);
INSERT INTO _sqlite_migrations (id, migration_set, name, applied_at) VALUES (1, 'desktop-rater', 'first', '2026-11-23 01:48:02.174090+00:00');
INSERT INTO _sqlite_migrations (id, migration_set, name, applied_at) VALUES (2, 'desktop-rater', 'pages', '2026-11-23 01:48:02.176030+00:00');
INSERT INTO _sqlite_migrations (id, migration_set, name, applied_at) VALUES (3, 'desktop-rater', 'leaving', '2026-11-23 01:48:02.176312+00:00');
INSERT INTO _sqlite_migrations (id, migration_set, name, applied_at) VALUES (4, 'desktop-rater', 'blocked', '2026-11-23 01:48:02.176452+00:00');
INSERT INTO _sqlite_migrations (id, migration_set, name, applied_at) VALUES (5, 'desktop-rater', 'gold', '2026-11-23 01:48:02.176569+00:00');
INSERT INTO _sqlite_migrations (id, migration_set, name, applied_at) VALUES (6, 'desktop-rater', 'placed', '2026-11-23 01:48:02.176706+00:00');
INSERT INTO _sqlite_migrations (id, migration_set, name, applied_at) VALUES (7, 'desktop-rater', 'audits', '2026-11-23 01:48:02.177506+00:00');
INSERT INTO _sqlite_migrations (id, migration_set, name, applied_at) VALUES (8, 'desktop-rater', 'hubs', '2026-11-23 01:48:02.178327+00:00');
INSERT INTO _sqlite_migrations (id, migration_set, name, applied_at) VALUES (9, 'desktop-rater', 'trust', '2026-11-23 04:37:12.866340+00:00');
INSERT INTO bundles (key, id, revision, title, language, created, rubric, rubric_toml, guidelines, manifest, tasks_sha256, identity, imported, tasks, ready) VALUES (1, 'b', 1, 'b', '', '2026-11-20T08:00:00Z', 'span-factuality@2', NULL, '', '{
  "created": "2026-11-20T08:00:00Z",
  "files": {
    "tasks.jsonl": {
      "bytes": 521,
      "sha256": "ecdbb37fb90f27abc8e2b69a6cc1c8d803eac7e17242c63e45593e3c597e0158"
    }
  },
  "format": "desktop-rater/bundle",
  "id": "b",
  "language": "",
  "revision": 1,
  "rubric": "span-factuality@2",
  "tasks": 2,
  "title": "b",
  "version": 1
}
', 'ecdbb37fb90f27abc8e2b69a6cc1c8d803eac7e17242c63e45593e3c597e0158', '933650744e36fe23036a91dd4a79830bd983dab09012719af49e71cce9c386ae', '2026-11-20T12:00:00Z', 2, 1);
INSERT INTO bundles (key, id, revision, title, language, created, rubric, rubric_toml, guidelines, manifest, tasks_sha256, identity, imported, tasks, ready) VALUES (2, 'b', 2, 'b', '', '2026-11-20T08:00:00Z', 'span-factuality@2', NULL, '', '{
  "created": "2026-11-20T08:00:00Z",
  "files": {
    "tasks.jsonl": {
      "bytes": 525,
      "sha256": "309dd180d59abccfe78cbb22d48e5acec7feba763d3b677f8a4be3855f585a9f"
    }
  },
  "format": "desktop-rater/bundle",
  "id": "b",
  "language": "",
  "revision": 2,
  "rubric": "span-factuality@2",
  "tasks": 2,
  "title": "b",
  "version": 1
}
', '309dd180d59abccfe78cbb22d48e5acec7feba763d3b677f8a4be3855f585a9f', '41d8177476d814440c35281357a9107c49c29e76a2bf60aca4d5611d486dbbf8', '2026-11-20T12:00:00Z', 2, 1);
INSERT INTO tasks (key, bundle, id, title, line_sha256, targets, line) VALUES (4294967296, 1, 't-1', 'What about t-1?', '815fe5d76b6d002ed4aecc575a3522d40b1395e366f448eb985f8ce9dbdba3fb', '[{"unknown":{},"id":"s1","response":"a","start":0,"end":31,"quote":"Paris is the capital of France.","prefix":"","suffix":""}]', X'7B226964223A2022742D31222C202270726F6D7074223A207B2274657874223A2022576861742061626F757420742D313F227D2C2022726573706F6E736573223A205B7B226964223A202261222C202274657874223A2022506172697320697320746865206361706974616C206F66204672616E63652E227D5D2C202274617267657473223A205B7B226964223A20227331222C2022726573706F6E7365223A202261222C20227374617274223A20302C2022656E64223A2033312C202271756F7465223A2022506172697320697320746865206361706974616C206F66204672616E63652E227D5D7D');
INSERT INTO tasks (key, bundle, id, title, line_sha256, targets, line) VALUES (4294967297, 1, 't-2', 'What about t-2?', 'b5b516a43da23619e9db44204853b78a7007b7e939f125dc3de866918b1c3078', '[{"unknown":{},"id":"s1","response":"a","start":0,"end":11,"quote":"One is one.","prefix":"","suffix":" Two is two."},{"unknown":{},"id":"s2","response":"a","start":12,"end":23,"quote":"Two is two.","prefix":"One is one. ","suffix":""}]', X'7B226964223A2022742D32222C202270726F6D7074223A207B2274657874223A2022576861742061626F757420742D323F227D2C2022726573706F6E736573223A205B7B226964223A202261222C202274657874223A20224F6E65206973206F6E652E2054776F2069732074776F2E227D5D2C202274617267657473223A205B7B226964223A20227331222C2022726573706F6E7365223A202261222C20227374617274223A20302C2022656E64223A2031312C202271756F7465223A20224F6E65206973206F6E652E227D2C207B226964223A20227332222C2022726573706F6E7365223A202261222C20227374617274223A2031322C2022656E64223A2032332C202271756F7465223A202254776F2069732074776F2E227D5D7D');
INSERT INTO tasks (key, bundle, id, title, line_sha256, targets, line) VALUES (8589934592, 2, 't-1', 'What about t-1?', '815fe5d76b6d002ed4aecc575a3522d40b1395e366f448eb985f8ce9dbdba3fb', '[{"unknown":{},"id":"s1","response":"a","start":0,"end":31,"quote":"Paris is the capital of France.","prefix":"","suffix":""}]', X'7B226964223A2022742D31222C202270726F6D7074223A207B2274657874223A2022576861742061626F757420742D313F227D2C2022726573706F6E736573223A205B7B226964223A202261222C202274657874223A2022506172697320697320746865206361706974616C206F66204672616E63652E227D5D2C202274617267657473223A205B7B226964223A20227331222C2022726573706F6E7365223A202261222C20227374617274223A20302C2022656E64223A2033312C202271756F7465223A2022506172697320697320746865206361706974616C206F66204672616E63652E227D5D7D');
INSERT INTO tasks (key, bundle, id, title, line_sha256, targets, line) VALUES (8589934593, 2, 't-2', 'What about t-2?', 'bfe4aa10f5f677be31c27c8a65a6f8c0b5bbc666adebada0faf77fec26a4a426', '[{"unknown":{},"id":"s1","response":"a","start":0,"end":11,"quote":"One is one.","prefix":"","suffix":" Two is three."},{"unknown":{},"id":"s2","response":"a","start":12,"end":25,"quote":"Two is three.","prefix":"One is one. ","suffix":""}]', X'7B226964223A2022742D32222C202270726F6D7074223A207B2274657874223A2022576861742061626F757420742D323F227D2C2022726573706F6E736573223A205B7B226964223A202261222C202274657874223A20224F6E65206973206F6E652E2054776F2069732074687265652E227D5D2C202274617267657473223A205B7B226964223A20227331222C2022726573706F6E7365223A202261222C20227374617274223A20302C2022656E64223A2031312C202271756F7465223A20224F6E65206973206F6E652E227D2C207B226964223A20227332222C2022726573706F6E7365223A202261222C20227374617274223A2031322C2022656E64223A2032352C202271756F7465223A202254776F2069732074687265652E227D5D7D');
INSERT INTO ratings (key, bundle, task, rater, revision, changed, status, done, sha256, leaving_sha256, body) VALUES (1, 'b', 't-1', 'r-30', 1, '2026-11-20T12:00:00Z', 'complete', 'rated from a file', '9e72e3b8a94b74b6133febed73102b981f9837d0cb33d1d7c8483de584aade90', 'e1bd584b7a83e287cd7fcb2c4d42a8e597dbb49e5237246c3d158d28d85442e9', '{"acknowledged":[],"answers":{"responses":{},"targets":{"s1":{"accuracy":"accurate","common_knowledge":"right","factual":"yes"}},"task":{}},"borders":{},"changed":"2026-11-20T12:00:00Z","claims":{},"decided":{"targets/s1":{"accuracy":{"by":"common-knowledge-right","is":"accurate"}}},"evidence":[],"link_verdicts":{},"links_counted":[],"links_opened":[],"note":"first","problems":[],"rater":"r-30","research":[],"revision":1,"rubric":"span-factuality@2","status":"complete","suggestions":{"accepted":0,"changed":0,"ignored":0},"task":"t-1","time":{"active_seconds":0,"idle_seconds":0,"targets":{}}}');
INSERT INTO ratings (key, bundle, task, rater, revision, changed, status, done, sha256, leaving_sha256, body) VALUES (2, 'b', 't-2', 'r-30', 1, '2026-11-20T12:00:00Z', 'complete', 'rated from a file', '9d61bb3de65230680268d8a13635967fb0cb429ee1eea6f7aa3c33a2277a51bc', 'eaecc07b0fd99946369293c0e96960c64628e7b8cda96d1ca2f901836a29d4b1', '{"acknowledged":[],"answers":{"responses":{},"targets":{"s1":{"accuracy":"accurate","common_knowledge":"right","factual":"yes"},"s2":{"accuracy":"accurate","common_knowledge":"right","factual":"yes"}},"task":{}},"borders":{},"changed":"2026-11-20T12:00:00Z","claims":{},"decided":{"targets/s1":{"accuracy":{"by":"common-knowledge-right","is":"accurate"}},"targets/s2":{"accuracy":{"by":"common-knowledge-right","is":"accurate"}}},"evidence":[],"link_verdicts":{},"links_counted":[],"links_opened":[],"note":"first","problems":[],"rater":"r-30","research":[],"revision":1,"rubric":"span-factuality@2","status":"complete","suggestions":{"accepted":0,"changed":0,"ignored":0},"task":"t-2","time":{"active_seconds":0,"idle_seconds":0,"targets":{}}}');
INSERT INTO ratings (key, bundle, task, rater, revision, changed, status, done, sha256, leaving_sha256, body) VALUES (3, 'b', 't-1', 'r-30', 2, '2026-11-20T12:00:00Z', 'complete', 'rated from a file', '672225e546fcd8345d99d6a738f7d166cd641e559b4ad81ef50613c05815dc55', '58b7933f861651fa4c9cccf134f051c4716b0a627d5a8d16c3d4c9e94864e3d4', '{"acknowledged":[],"answers":{"responses":{},"targets":{"s1":{"accuracy":"accurate","common_knowledge":"right","factual":"yes"}},"task":{}},"borders":{},"changed":"2026-11-20T12:00:00Z","claims":{},"decided":{"targets/s1":{"accuracy":{"by":"common-knowledge-right","is":"accurate"}}},"evidence":[],"link_verdicts":{},"links_counted":[],"links_opened":[],"note":"second","problems":[],"rater":"r-30","research":[],"revision":2,"rubric":"span-factuality@2","status":"complete","suggestions":{"accepted":0,"changed":0,"ignored":0},"task":"t-1","time":{"active_seconds":0,"idle_seconds":0,"targets":{}}}');
INSERT INTO ratings (key, bundle, task, rater, revision, changed, status, done, sha256, leaving_sha256, body) VALUES (4, 'b', 't-2', 'r-30', 2, '2026-11-20T12:00:00Z', 'complete', 'rated from a file', '87b900d1b680f7a8dac9cb1fc379023dfdc3fe26ef279d8c03ca97113410f683', '69eefd90e800716b5ecc889f2b6a4210ec8149c6053b09d69fd1a4aa6780bfe4', '{"acknowledged":[],"answers":{"responses":{},"targets":{"s1":{"accuracy":"accurate","common_knowledge":"right","factual":"yes"},"s2":{"accuracy":"accurate","common_knowledge":"right","factual":"yes"}},"task":{}},"borders":{},"changed":"2026-11-20T12:00:00Z","claims":{},"decided":{"targets/s1":{"accuracy":{"by":"common-knowledge-right","is":"accurate"}},"targets/s2":{"accuracy":{"by":"common-knowledge-right","is":"accurate"}}},"evidence":[],"link_verdicts":{},"links_counted":[],"links_opened":[],"note":"second","problems":[],"rater":"r-30","research":[],"revision":2,"rubric":"span-factuality@2","status":"complete","suggestions":{"accepted":0,"changed":0,"ignored":0},"task":"t-2","time":{"active_seconds":0,"idle_seconds":0,"targets":{}}}');
INSERT INTO heads (bundle, task, rater, rating, revision, position, status, line_sha256, blocking, warnings, answered, total) VALUES ('b', 't-1', 'r-30', 3, 2, 0, 'complete', '815fe5d76b6d002ed4aecc575a3522d40b1395e366f448eb985f8ce9dbdba3fb', 0, 0, 3, 3);
INSERT INTO heads (bundle, task, rater, rating, revision, position, status, line_sha256, blocking, warnings, answered, total) VALUES ('b', 't-2', 'r-30', 4, 2, 1, 'incomplete', 'b5b516a43da23619e9db44204853b78a7007b7e939f125dc3de866918b1c3078', 0, 0, 6, 6);
INSERT INTO finished_runs (bundle, rater, first, last) VALUES ('b', 'r-30', 0, 0);
INSERT INTO exports (key, bundle, rater, sha256, moment, tasks, complete, skipped, content, supersedes) VALUES (1, 'b', 'r-30', '1c2771c302d83e31f21e63d78182462ad55c172dbe14d5396d9daabc6488d2fc', '2026-11-20T12:00:00Z', 2, 2, 0, '74f6ea90179b313fc12560cf6a00030249b663d1b53ab25b6e33ce9d0513095b', NULL);
INSERT INTO state (key, value) VALUES ('last-rater', '"r-30"');
INSERT INTO leaving (rating, task, basis, sha256, form) VALUES (3, 4294967296, 'f7a3387c1d5218b846eb3e3435ec4ffe0dc41fe4b7bc5a937239224aa2cc2b32', NULL, NULL);
INSERT INTO leaving (rating, task, basis, sha256, form) VALUES (4, 4294967297, 'f7a3387c1d5218b846eb3e3435ec4ffe0dc41fe4b7bc5a937239224aa2cc2b32', NULL, NULL);
INSERT INTO placed (key, sha256) VALUES (4294967296, 'd6095c7c5f279e53dc3c95408a370a3f569f7bfa13bb0bd7db8d44e34de230f2');
INSERT INTO placed (key, sha256) VALUES (4294967297, '9722ce9e16199789a8a04757bcf7fa04a9d27caee6a737ef9b6110484e8e4c31');
INSERT INTO placed (key, sha256) VALUES (8589934592, 'd6095c7c5f279e53dc3c95408a370a3f569f7bfa13bb0bd7db8d44e34de230f2');
INSERT INTO placed (key, sha256) VALUES (8589934593, 'fab3ec5242e215c810ba6f3a8bc980475a8daa5f15d5ccc0fb161fce3fd31abc');
INSERT INTO received (key, sha256, bundle, rater, supersedes, manifest, rubric_toml, file, arrived, ready, row_sha256) VALUES (1, '14a3aec678305a2464054adfaff389bfa30026314f1a603da65b13f925d2eea2', 'b', 'r-04', NULL, '{
  "bundle": {
    "id": "b",
    "language": "",
    "revision": 1,
    "sha256": "ecdbb37fb90f27abc8e2b69a6cc1c8d803eac7e17242c63e45593e3c597e0158"
  },
  "counts": {
    "complete": 2,
    "skipped": 0,
    "tasks": 2
  },
  "files": {
    "history.jsonl": {
      "bytes": 328,
      "sha256": "39ed0101757820aa18bf9b8dd39c40d3d069e051e7f1058a2fdd4dfd790f54c8"
    },
    "ratings.jsonl": {
      "bytes": 1210,
      "sha256": "7d4562f609d8a0fe53bccbf6f882ffda91482eeab96e474bd8c657c075880ea9"
    },
    "tasks.jsonl": {
      "bytes": 521,
      "sha256": "ecdbb37fb90f27abc8e2b69a6cc1c8d803eac7e17242c63e45593e3c597e0158"
    }
  },
  "format": "desktop-rater/results",
  "partial": false,
  "rater": "r-04",
  "rubric": "span-factuality@2",
  "version": 1
}
', NULL, 'r-04-1.zip', '2026-11-20T12:00:00Z', 1, '005530b0ed086a5f17e46a915c2672a49909b1a0ba73961a9c7c7a08777eaa93');
INSERT INTO received (key, sha256, bundle, rater, supersedes, manifest, rubric_toml, file, arrived, ready, row_sha256) VALUES (2, '755e814177c22b5d847f88925ded6b54b42120dec0bf58bf55ca724cd7e27a0f', 'b', 'r-17', NULL, '{
  "bundle": {
    "id": "b",
    "language": "",
    "revision": 1,
    "sha256": "ecdbb37fb90f27abc8e2b69a6cc1c8d803eac7e17242c63e45593e3c597e0158"
  },
  "counts": {
    "complete": 2,
    "skipped": 0,
    "tasks": 2
  },
  "files": {
    "history.jsonl": {
      "bytes": 328,
      "sha256": "2898871470e4590360725f1a97634137b6805e232baa7298adcad7820b4bface"
    },
    "ratings.jsonl": {
      "bytes": 1357,
      "sha256": "7d6f4b662272ef573ed31740b631897fd42394a390797a40773bac1f4bd1d713"
    },
    "tasks.jsonl": {
      "bytes": 521,
      "sha256": "ecdbb37fb90f27abc8e2b69a6cc1c8d803eac7e17242c63e45593e3c597e0158"
    }
  },
  "format": "desktop-rater/results",
  "partial": false,
  "rater": "r-17",
  "rubric": "span-factuality@2",
  "version": 1
}
', NULL, 'r-17.zip', '2026-11-20T12:00:00Z', 1, '53ff96ad5e2a02e8dddf303d7e86e36da0051f14d2af208df1bc278db8d5f2ee');
INSERT INTO task_texts (sha256, line) VALUES ('40f33133d7ed0a4fc99dd1e10986e39fd7a23c2fcfe4c2573c568187376c509b', X'7B226964223A22742D31222C2270726F6D7074223A7B2274657874223A22576861742061626F757420742D313F227D2C22726573706F6E736573223A5B7B226964223A2261222C2274657874223A22506172697320697320746865206361706974616C206F66204672616E63652E227D5D2C2274617267657473223A5B7B22656E64223A33312C226964223A227331222C2271756F7465223A22506172697320697320746865206361706974616C206F66204672616E63652E222C22726573706F6E7365223A2261222C227374617274223A307D5D7D');
INSERT INTO task_texts (sha256, line) VALUES ('a5033b6dca6f56a8f6fae5784216176d349cd666637f22e6d7797a98a81eca9e', X'7B226964223A22742D32222C2270726F6D7074223A7B2274657874223A22576861742061626F757420742D323F227D2C22726573706F6E736573223A5B7B226964223A2261222C2274657874223A224F6E65206973206F6E652E2054776F2069732074776F2E227D5D2C2274617267657473223A5B7B22656E64223A31312C226964223A227331222C2271756F7465223A224F6E65206973206F6E652E222C22726573706F6E7365223A2261222C227374617274223A307D2C7B22656E64223A32332C226964223A227332222C2271756F7465223A2254776F2069732074776F2E222C22726573706F6E7365223A2261222C227374617274223A31327D5D7D');
INSERT INTO received_ratings (key, results, task, text, revision, sha256, row_sha256, digest, history, body) VALUES (1, 1, 't-1', '40f33133d7ed0a4fc99dd1e10986e39fd7a23c2fcfe4c2573c568187376c509b', 1, '2198cb70b5649d4e7a6b90da9c0c526f440fc92c085a204fc5fa4037c089ac40', '8ea724d5902cf1794699da8fa6f22964853da171169634f3091a114dc458f03b', X'9FA8636F6D706C65746581AA746172676574732F733183A76661637475616CA3796573B0636F6D6D6F6E5F6B6E6F776C65646765A57269676874A86163637572616379A86163637572617465000080018000000090800190B4323032362D31312D32305431323A30303A30305A', '[{"unknown":{},"task":"t-1","revision":1,"changed":"2026-11-20T12:00:00Z","done":"rated from a file","sha256":"2198cb70b5649d4e7a6b90da9c0c526f440fc92c085a204fc5fa4037c089ac40"}]', X'7B2261636B6E6F776C6564676564223A5B5D2C22616E7377657273223A7B22726573706F6E736573223A7B7D2C2274617267657473223A7B227331223A7B226163637572616379223A226163637572617465222C22636F6D6D6F6E5F6B6E6F776C65646765223A227269676874222C226661637475616C223A22796573227D7D2C227461736B223A7B7D7D2C22626F7264657273223A7B7D2C226368616E676564223A22323032362D31312D32305431323A30303A30305A222C22636C61696D73223A7B7D2C2264656369646564223A7B22746172676574732F7331223A7B226163637572616379223A7B226279223A22636F6D6D6F6E2D6B6E6F776C656467652D7269676874222C226973223A226163637572617465227D7D7D2C2265766964656E6365223A5B5D2C226C696E6B5F7665726469637473223A7B7D2C226C696E6B735F636F756E746564223A5B5D2C226C696E6B735F6F70656E6564223A5B5D2C226E6F7465223A22222C2270726F626C656D73223A5B5D2C227261746572223A22722D3034222C227265736561726368223A5B5D2C227265766973696F6E223A312C22727562726963223A227370616E2D6661637475616C6974794032222C22737461747573223A22636F6D706C657465222C2273756767657374696F6E73223A7B226163636570746564223A302C226368616E676564223A302C2269676E6F726564223A307D2C227461736B223A22742D31222C2274696D65223A7B226163746976655F7365636F6E6473223A302C2269646C655F7365636F6E6473223A302C2274617267657473223A7B7D7D7D');
INSERT INTO received_ratings (key, results, task, text, revision, sha256, row_sha256, digest, history, body) VALUES (2, 1, 't-2', 'a5033b6dca6f56a8f6fae5784216176d349cd666637f22e6d7797a98a81eca9e', 1, 'f56ebb9356ac6ee7d75b6cc73118546af0153ee107f0e532ef2c7cd0c4333e79', '6796a92ce0eba4535766999652f2330c736ad9bc29820e24c375a346df15fed9', X'9FA8636F6D706C65746582AA746172676574732F733183A76661637475616CA3796573B0636F6D6D6F6E5F6B6E6F776C65646765A57269676874A86163637572616379A86163637572617465AA746172676574732F733281A76661637475616CA26E6F000080018000000090800190B4323032362D31312D32305431323A30303A30305A', '[{"unknown":{},"task":"t-2","revision":1,"changed":"2026-11-20T12:00:00Z","done":"rated from a file","sha256":"f56ebb9356ac6ee7d75b6cc73118546af0153ee107f0e532ef2c7cd0c4333e79"}]', X'7B2261636B6E6F776C6564676564223A5B5D2C22616E7377657273223A7B22726573706F6E736573223A7B7D2C2274617267657473223A7B227331223A7B226163637572616379223A226163637572617465222C22636F6D6D6F6E5F6B6E6F776C65646765223A227269676874222C226661637475616C223A22796573227D2C227332223A7B226661637475616C223A226E6F227D7D2C227461736B223A7B7D7D2C22626F7264657273223A7B7D2C226368616E676564223A22323032362D31312D32305431323A30303A30305A222C22636C61696D73223A7B7D2C2264656369646564223A7B22746172676574732F7331223A7B226163637572616379223A7B226279223A22636F6D6D6F6E2D6B6E6F776C656467652D7269676874222C226973223A226163637572617465227D7D7D2C2265766964656E6365223A5B5D2C226C696E6B5F7665726469637473223A7B7D2C226C696E6B735F636F756E746564223A5B5D2C226C696E6B735F6F70656E6564223A5B5D2C226E6F7465223A22222C2270726F626C656D73223A5B5D2C227261746572223A22722D3034222C227265736561726368223A5B5D2C227265766973696F6E223A312C22727562726963223A227370616E2D6661637475616C6974794032222C22737461747573223A22636F6D706C657465222C2273756767657374696F6E73223A7B226163636570746564223A302C226368616E676564223A302C2269676E6F726564223A307D2C227461736B223A22742D32222C2274696D65223A7B226163746976655F7365636F6E6473223A302C2269646C655F7365636F6E6473223A302C2274617267657473223A7B7D7D7D');
INSERT INTO received_ratings (key, results, task, text, revision, sha256, row_sha256, digest, history, body) VALUES (3, 2, 't-1', '40f33133d7ed0a4fc99dd1e10986e39fd7a23c2fcfe4c2573c568187376c509b', 1, '8db1e861b0a1908a7c82ea1387fedb62ac07ad386b41ae4f7d7863964770624e', 'dbfbd02a83e0b9962af3556090ccc8ab793b17925f1c2c7898a16b5fcdf5434c', X'9FA8636F6D706C65746581AA746172676574732F733184A76661637475616CA3796573B0636F6D6D6F6E5F6B6E6F776C65646765A577726F6E67A86163637572616379AA696E6163637572617465A87365766572697479A56D696E6F72000080018000000090800190B4323032362D31312D32305431323A30303A30305A', '[{"unknown":{},"task":"t-1","revision":1,"changed":"2026-11-20T12:00:00Z","done":"rated from a file","sha256":"8db1e861b0a1908a7c82ea1387fedb62ac07ad386b41ae4f7d7863964770624e"}]', X'7B2261636B6E6F776C6564676564223A5B5D2C22616E7377657273223A7B22726573706F6E736573223A7B7D2C2274617267657473223A7B227331223A7B226163637572616379223A22696E6163637572617465222C22636F6D6D6F6E5F6B6E6F776C65646765223A2277726F6E67222C226661637475616C223A22796573222C227365766572697479223A226D696E6F72227D7D2C227461736B223A7B7D7D2C22626F7264657273223A7B7D2C226368616E676564223A22323032362D31312D32305431323A30303A30305A222C22636C61696D73223A7B7D2C2264656369646564223A7B22746172676574732F7331223A7B226163637572616379223A7B226279223A22636F6D6D6F6E2D6B6E6F776C656467652D77726F6E67222C226973223A22696E6163637572617465227D7D7D2C2265766964656E6365223A5B5D2C226C696E6B5F7665726469637473223A7B7D2C226C696E6B735F636F756E746564223A5B5D2C226C696E6B735F6F70656E6564223A5B5D2C226E6F7465223A22222C2270726F626C656D73223A5B5D2C227261746572223A22722D3137222C227265736561726368223A5B5D2C227265766973696F6E223A312C22727562726963223A227370616E2D6661637475616C6974794032222C22737461747573223A22636F6D706C657465222C2273756767657374696F6E73223A7B226163636570746564223A302C226368616E676564223A302C2269676E6F726564223A307D2C227461736B223A22742D31222C2274696D65223A7B226163746976655F7365636F6E6473223A302C2269646C655F7365636F6E6473223A302C2274617267657473223A7B7D7D7D');
INSERT INTO received_ratings (key, results, task, text, revision, sha256, row_sha256, digest, history, body) VALUES (4, 2, 't-2', 'a5033b6dca6f56a8f6fae5784216176d349cd666637f22e6d7797a98a81eca9e', 1, 'ee57967e788028c755badfb3b77187e6f9d3a28c15e7a1ccfa0f1d1ab5837b08', '2a917bda118c4e8c2b567df14878937dc81d469293aca4755ef447764cb25b25', X'9FA8636F6D706C65746582AA746172676574732F733183A76661637475616CA3796573B0636F6D6D6F6E5F6B6E6F776C65646765A57269676874A86163637572616379A86163637572617465AA746172676574732F733283A76661637475616CA3796573B0636F6D6D6F6E5F6B6E6F776C65646765A57269676874A86163637572616379A86163637572617465000080028000000090800190B4323032362D31312D32305431323A30303A30305A', '[{"unknown":{},"task":"t-2","revision":1,"changed":"2026-11-20T12:00:00Z","done":"rated from a file","sha256":"ee57967e788028c755badfb3b77187e6f9d3a28c15e7a1ccfa0f1d1ab5837b08"}]', X'7B2261636B6E6F776C6564676564223A5B5D2C22616E7377657273223A7B22726573706F6E736573223A7B7D2C2274617267657473223A7B227331223A7B226163637572616379223A226163637572617465222C22636F6D6D6F6E5F6B6E6F776C65646765223A227269676874222C226661637475616C223A22796573227D2C227332223A7B226163637572616379223A226163637572617465222C22636F6D6D6F6E5F6B6E6F776C65646765223A227269676874222C226661637475616C223A22796573227D7D2C227461736B223A7B7D7D2C22626F7264657273223A7B7D2C226368616E676564223A22323032362D31312D32305431323A30303A30305A222C22636C61696D73223A7B7D2C2264656369646564223A7B22746172676574732F7331223A7B226163637572616379223A7B226279223A22636F6D6D6F6E2D6B6E6F776C656467652D7269676874222C226973223A226163637572617465227D7D2C22746172676574732F7332223A7B226163637572616379223A7B226279223A22636F6D6D6F6E2D6B6E6F776C656467652D7269676874222C226973223A226163637572617465227D7D7D2C2265766964656E6365223A5B5D2C226C696E6B5F7665726469637473223A7B7D2C226C696E6B735F636F756E746564223A5B5D2C226C696E6B735F6F70656E6564223A5B5D2C226E6F7465223A22222C2270726F626C656D73223A5B5D2C227261746572223A22722D3137222C227265736561726368223A5B5D2C227265766973696F6E223A312C22727562726963223A227370616E2D6661637475616C6974794032222C22737461747573223A22636F6D706C657465222C2273756767657374696F6E73223A7B226163636570746564223A302C226368616E676564223A302C2269676E6F726564223A307D2C227461736B223A22742D32222C2274696D65223A7B226163746976655F7365636F6E6473223A302C2269646C655F7365636F6E6473223A302C2274617267657473223A7B7D7D7D');
INSERT INTO reviews (key, bundle, subject, lead, revision, changed, sha256, body) VALUES (1, 'b', '["verdict","t-1","targets/s1","r-17"]', 'Ana', 1, '2026-11-21T12:00:00Z', '7c5e53f873e9563a0830a91998799576060e5fe237af40ac585a5ed632d780f2', '{"changed":"2026-11-21T12:00:00Z","comment":"","kind":"accepted","lead":"Ana","rater":"r-17","rating":"8db1e861b0a1908a7c82ea1387fedb62ac07ad386b41ae4f7d7863964770624e","reason":"","task":"t-1","where":"targets/s1"}');
INSERT INTO hubs (project, title, url, user, connected, verified, asked, skew, paused_kind, paused, current, lead_key) VALUES ('kelp', 'Kelp', 'webdavs://hub.example/team', 'ann', '2026-11-20T09:12:00Z', '', '', NULL, '', '', 1, '');
INSERT INTO outbox (key, project, kind, rater, bundle, revision, name, sha256, size, made_of, state, attempts, next_try, error_kind, last_error, queued, changed, row_sha256) VALUES (1, 'kelp', 'results', 'r-17', 'november', 1, 'results/r-17/november/1-c099142bc3186ded72786ba27e9ea6d2da240fb9fd3fe79b479ecf8e734b2850.zip', 'c099142bc3186ded72786ba27e9ea6d2da240fb9fd3fe79b479ecf8e734b2850', 7, '', 'verified', 1, '', '', '', '2026-11-20T09:12:00Z', '2026-11-20T09:12:00Z', '5b0a61519f2f5732de8024650fdfe97ee3d3b984e6e7c0524ecbfecb987a226c');
INSERT INTO outbox (key, project, kind, rater, bundle, revision, name, sha256, size, made_of, state, attempts, next_try, error_kind, last_error, queued, changed, row_sha256) VALUES (2, 'kelp', 'results', 'r-17', 'november', 2, 'results/r-17/november/2-ba1404356371407155a4ca335e6629bcf85b85eacf678f3e4a6734168a1dcdbd.zip', 'ba1404356371407155a4ca335e6629bcf85b85eacf678f3e4a6734168a1dcdbd', 13, '', 'queued', 0, '', '', '', '2026-11-20T09:12:00Z', '2026-11-20T09:12:00Z', 'af06119dc5f6979ab9384da070b3b1425f8f5d1d0f6b12b53f97f4e8979ef1b7');
INSERT INTO inbox (key, project, kind, rater, name, file, sha256, size, bundle, revision, title, tasks, state, last_error, changed, signed) VALUES (1, 'kelp', 'assignment', 'r-17', 'assignments/r-17/fbf79557e5e51fa1892abbe11bdb1ea00d5478ac9878146147171ae8c9ee38cd.json', 'bundles/november/1-cd98c950d629c66548537b4ecd68dab3e8cf59974ba6e40df5a1a7354b39db5f.zip', 'cd98c950d629c66548537b4ecd68dab3e8cf59974ba6e40df5a1a7354b39db5f', 8, 'november', 1, 'November', 3, 'taken', '', '2026-11-20T09:12:00Z', '');
INSERT INTO inbox (key, project, kind, rater, name, file, sha256, size, bundle, revision, title, tasks, state, last_error, changed, signed) VALUES (2, 'kelp', 'assignment', 'r-17', 'assignments/r-17/f9d5558b826603ba7566c9a876e20bd6267d1efd2ca6b9bc5b37d606cd565fbc.json', 'bundles/december/1-b417b5a81cdf763657e2f236480ec47099de4660e08912e3858757c7a486c8b6.zip', 'b417b5a81cdf763657e2f236480ec47099de4660e08912e3858757c7a486c8b6', 14, 'december', 1, 'November', 3, 'fetched', '', '2026-11-20T09:12:00Z', '');
INSERT INTO rater_keys (rater, key, project, seen) VALUES ('r-17', '8320a51977d8c38ca8a4927c670df5821e449761945e15e9efb26a1509d230ea', 'kelp', '2026-11-20T09:12:00Z');
INSERT INTO signatures (results, state, key, row_sha256) VALUES (1, 'unsigned', '', 'd12327030cc4334343b49d67e282920bb1b8d4d55ca1b2371d922200984fcd38');
INSERT INTO signatures (results, state, key, row_sha256) VALUES (2, 'signed', '8320a51977d8c38ca8a4927c670df5821e449761945e15e9efb26a1509d230ea', '2017696c8396650c2e40f4b9410a2528e1adfe1d4d99dc682238ca9a474b46ae');
INSERT INTO key_events (key, rater, public, project, what, by, reason, moment) VALUES (1, 'r-17', '8320a51977d8c38ca8a4927c670df5821e449761945e15e9efb26a1509d230ea', 'kelp', 'introduced', '', 'first sight', '2026-11-20T09:12:00Z');
INSERT INTO bundle_events (key, bundle, what, revision, reason, moment) VALUES (1, 'b', 'revision', 1, '', '2026-11-20T12:00:00Z');
INSERT INTO bundle_events (key, bundle, what, revision, reason, moment) VALUES (2, 'b', 'put away', 1, '', '2026-11-20T12:00:00Z');
INSERT INTO bundle_events (key, bundle, what, revision, reason, moment) VALUES (3, 'b', 'brought back', 1, '', '2026-11-20T12:00:00Z');
INSERT INTO bundle_events (key, bundle, what, revision, reason, moment) VALUES (4, 'b', 'revision', 2, '', '2026-11-20T12:00:00Z');
INSERT INTO texts (rowid, prompt, responses, tools) VALUES (4294967296, 'What about t-1?', 'Paris is the capital of France.', '');
INSERT INTO texts (rowid, prompt, responses, tools) VALUES (4294967297, 'What about t-2?', 'One is one. Two is two.', '');
INSERT INTO texts (rowid, prompt, responses, tools) VALUES (8589934592, 'What about t-1?', 'Paris is the capital of France.', '');
INSERT INTO texts (rowid, prompt, responses, tools) VALUES (8589934593, 'What about t-2?', 'One is one. Two is three.', '');
INSERT INTO texts (texts, rank) VALUES ('automerge', 8);
CREATE TRIGGER ratings_follow_each_other BEFORE INSERT ON ratings
    WHEN NEW.revision <> 1 + coalesce((
        SELECT max(revision) FROM ratings WHERE bundle = NEW.bundle AND task = NEW.task AND rater = NEW.rater), 0)
    BEGIN SELECT RAISE(ABORT, 'a rating may only follow its last revision'); END;
CREATE TRIGGER ratings_never_change BEFORE UPDATE ON ratings
    BEGIN SELECT RAISE(ABORT, 'ratings are never changed'); END;
CREATE TRIGGER ratings_never_go BEFORE DELETE ON ratings
    BEGIN SELECT RAISE(ABORT, 'ratings are never deleted'); END;
CREATE TRIGGER reviews_follow_each_other BEFORE INSERT ON reviews
    WHEN NEW.revision <> 1 + coalesce((
        SELECT max(revision) FROM reviews WHERE bundle = NEW.bundle AND subject = NEW.subject), 0)
    BEGIN SELECT RAISE(ABORT, 'a review may only follow its last revision'); END;
CREATE TRIGGER reviews_never_change BEFORE UPDATE ON reviews
    BEGIN SELECT RAISE(ABORT, 'reviews are never changed'); END;
CREATE TRIGGER reviews_never_go BEFORE DELETE ON reviews
    BEGIN SELECT RAISE(ABORT, 'reviews are never deleted'); END;
CREATE TRIGGER outbox_begins_queued BEFORE INSERT ON outbox WHEN NEW.state <> 'queued'
    BEGIN SELECT RAISE(ABORT, 'what goes to a hub is queued first'); END;
CREATE TRIGGER outbox_goes_step_by_step BEFORE UPDATE OF state ON outbox
    WHEN (OLD.state, NEW.state) NOT IN (VALUES
        ('queued', 'queued'), ('queued', 'uploading'), ('queued', 'failed'),
        ('uploading', 'queued'), ('uploading', 'uploading'), ('uploading', 'uploaded'), ('uploading', 'failed'),
        ('uploaded', 'queued'), ('uploaded', 'verified'), ('uploaded', 'failed'),
        ('verified', 'queued'), ('failed', 'queued'))
    BEGIN SELECT RAISE(ABORT, 'the outbox knows no such step'); END;
CREATE TRIGGER outbox_items_never_change
    BEFORE UPDATE OF key, project, kind, rater, bundle, revision, name, sha256, size, row_sha256 ON outbox
    BEGIN SELECT RAISE(ABORT, 'what goes to a hub is never changed'); END;
CREATE TRIGGER inbox_goes_step_by_step BEFORE UPDATE OF state ON inbox
    WHEN (OLD.state, NEW.state) NOT IN (VALUES
        ('seen', 'fetched'), ('seen', 'refused'), ('fetched', 'taken'), ('fetched', 'refused'), ('fetched', 'seen'),
        ('refused', 'seen'))
    BEGIN SELECT RAISE(ABORT, 'the inbox knows no such step'); END;
CREATE TRIGGER key_events_never_change BEFORE UPDATE ON key_events
        BEGIN SELECT RAISE(ABORT, 'events of keys are never changed'); END;
CREATE TRIGGER key_events_never_go BEFORE DELETE ON key_events
        BEGIN SELECT RAISE(ABORT, 'events of keys are never deleted'); END;
CREATE TRIGGER bundle_events_never_change BEFORE UPDATE ON bundle_events
        BEGIN SELECT RAISE(ABORT, 'events of bundles are never changed'); END;
CREATE TRIGGER bundle_events_never_go BEFORE DELETE ON bundle_events
        BEGIN SELECT RAISE(ABORT, 'events of bundles are never deleted'); END;
COMMIT;
PRAGMA user_version = 9;
