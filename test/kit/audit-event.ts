import type { AuditEvent } from '../../src/server/records/audit-store.ts'

/** Creates the event of a user who deleted a file, with some fields replaced. */
export const sampleEvent = (fields: Partial<AuditEvent> = {}): AuditEvent => ({
  atMs: 1_800_000_000_000,
  action: 'delete',
  outcome: 'ok',
  actor: 'user',
  userId: 1,
  username: 'ann',
  session: 's1',
  address: '192.0.2.1',
  target: '/a.txt',
  destination: '',
  details: {},
  ...fields,
})
