/**
 * The files of the suite `postgres`: tests of the server on PostgreSQL, and the unit tests about the state, which run
 * there once more. It is plain JavaScript because `npm test` reads it before any package is installed.
 */
export const postgresTests = [
  'test/postgres/**/*.test.ts',
  'src/server/records/*.test.ts',
  'src/server/access/quota/shared-quotas.test.ts',
  'src/server/auth/{sessions,shared-counts,throttle,tickets}.test.ts',
  'src/server/sessions/{sessions,own-sessions,tickets}.test.ts',
  'src/server/settings/*.test.ts',
  'src/server/peers/peers.test.ts',
  'src/server/audit/audit.test.ts',
  'src/server/takeover-report/takeover-report.test.ts',
  'src/server/shares/{shares,follow-changes,find-awaited}.test.ts',
  'src/server/users/{users,races}.test.ts',
]
