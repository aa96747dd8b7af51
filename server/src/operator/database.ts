/** The database as a whole: which it is, its schema, and snapshots of it. */
export { chooseDatabase } from '../config/config-database.ts'
export { lastBackupFile } from '../installation/backups.ts'
export type { Database } from '../store/engine/database.ts'
export { migrate, migrationStates, requireDatabase } from '../store/migrate.ts'
export { migrations } from '../store/migrations/all.ts'
export { factsOf, noteMoved, readConnectionLimit, refuseMoved } from '../store/open-store.ts'
export { inspectSnapshot, type SnapshotFacts, startFeedEpoch, takeSnapshot } from '../store/sqlite/sqlite-snapshot.ts'
