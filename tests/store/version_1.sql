-- A store as version 1 of the tables left it: made once by the program of then, and never changed.
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
    ) STRICT, WITHOUT ROWID
    ;
CREATE INDEX heads_by_status ON heads (bundle, rater, status, position);
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
CREATE INDEX exports_by_rater ON exports (bundle, rater);
CREATE TABLE state (key TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;
INSERT INTO _sqlite_migrations (id, migration_set, name, applied_at) VALUES (1, 'desktop-rater', 'first', '2026-11-20 09:21:52.795371+00:00');
INSERT INTO bundles (key, id, revision, title, language, created, rubric, rubric_toml, guidelines, manifest, tasks_sha256, identity, imported, tasks, ready) VALUES (1, 'november', 1, 'Long answers, November', 'en', '2026-11-20T08:00:00Z', 'span-factuality@1', NULL, 'Be fair.', '{}', '0000000000000000000000000000000000000000000000000000000000000000', 'november 1', '2026-11-20T09:12:00Z', 2, 1);
INSERT INTO tasks (key, bundle, id, title, line_sha256, targets, line) VALUES (4294967296, 1, 't-1', 'Who wrote Don Quixote?', 'f9d500bf0412d17d61d7e7f605363fde17bd274e5ecc3ad0922aff1ea350c4ea', NULL, X'7b226964223a2022742d31222c202270726f6d7074223a207b2274657874223a202257686f2077726f746520446f6e20517569786f74653f227d2c2022726573706f6e736573223a205b7b226964223a202261222c202274657874223a202243657276616e7465732c20696e20313630352e227d5d7d');
INSERT INTO tasks (key, bundle, id, title, line_sha256, targets, line) VALUES (4294967297, 1, 't-2', 'Who wrote Don Quixote?', '211d6ec77027e80035ba1a5c07209816d088d65e52050e2a3cfc2b9fef787b69', NULL, X'7b226964223a2022742d32222c202270726f6d7074223a207b2274657874223a202257686f2077726f746520446f6e20517569786f74653f227d2c2022726573706f6e736573223a205b7b226964223a202261222c202274657874223a202243657276616e7465732c20696e20313630352e227d5d7d');
INSERT INTO ratings (key, bundle, task, rater, revision, changed, status, done, sha256, leaving_sha256, body) VALUES (1, 'november', 't-1', 'r-17', 1, '2026-11-20T09:12:00Z', 'complete', 'answer', '2681c1d779cc0b5a8ea52d32d49c7459575414776c5910130d37d9a05af0a325', '0000000000000000000000000000000000000000000000000000000000000000', '{"acknowledged":[],"answers":{"responses":{},"targets":{"s1":{"comment":"first"}},"task":{}},"borders":{},"changed":"2026-11-20T09:12:00Z","claims":{},"decided":{},"evidence":[{"id":"e1","note":"","prefix":"","quote":"","suffix":"","target":"s1","title":"","url":"https://kelp.example/"}],"links_opened":[],"note":"","problems":[],"rater":"r-17","revision":1,"rubric":"span-factuality@1","status":"complete","suggestions":{"accepted":0,"changed":0,"ignored":0},"task":"t-1","time":{"active_seconds":0,"idle_seconds":0,"targets":{}}}');
INSERT INTO ratings (key, bundle, task, rater, revision, changed, status, done, sha256, leaving_sha256, body) VALUES (2, 'november', 't-1', 'r-17', 2, '2026-11-20T09:12:00Z', 'complete', 'answer', '78bf00573e282669001ab7710ab5a15788c6a1c3bd330f8924da5611f6c8624d', '0000000000000000000000000000000000000000000000000000000000000000', '{"acknowledged":[],"answers":{"responses":{},"targets":{"s1":{"comment":"second"}},"task":{}},"borders":{},"changed":"2026-11-20T09:12:00Z","claims":{},"decided":{},"evidence":[{"id":"e1","note":"","prefix":"","quote":"","suffix":"","target":"s1","title":"","url":"https://kelp.example/"}],"links_opened":[],"note":"","problems":[],"rater":"r-17","revision":2,"rubric":"span-factuality@1","status":"complete","suggestions":{"accepted":0,"changed":0,"ignored":0},"task":"t-1","time":{"active_seconds":0,"idle_seconds":0,"targets":{}}}');
INSERT INTO heads (bundle, task, rater, rating, revision, position, status, line_sha256, blocking, warnings, answered, total) VALUES ('november', 't-1', 'r-17', 2, 2, 0, 'complete', 'f9d500bf0412d17d61d7e7f605363fde17bd274e5ecc3ad0922aff1ea350c4ea', 0, 0, 0, 0);
INSERT INTO finished_runs (bundle, rater, first, last) VALUES ('november', 'r-17', 0, 0);
INSERT INTO state (key, value) VALUES ('last-rater', '"r-17"');
INSERT INTO texts (rowid, prompt, responses, tools) VALUES (4294967296, 'Who wrote Don Quixote?', 'Cervantes, in 1605.', '');
INSERT INTO texts (rowid, prompt, responses, tools) VALUES (4294967297, 'Who wrote Don Quixote?', 'Cervantes, in 1605.', '');
INSERT INTO texts (texts, rank) VALUES ('automerge', 8);
COMMIT;
PRAGMA user_version = 1;
