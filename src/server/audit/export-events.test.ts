import { expect, test } from 'vitest'
import { AppError } from '../../shared/domain/failure.ts'
import type { AuditStore } from '../records/audit-store.ts'
import { eventChunks } from './export-events.ts'

const event = {
  id: 1,
  atMs: 0,
  action: 'login' as const,
  outcome: 'ok' as const,
  actor: 'user' as const,
  userId: 1,
  username: 'ann',
  session: '',
  address: '',
  target: '',
  destination: '',
  details: {},
}

test('a running export ends when its caller is no longer an administrator', async () => {
  let isAdministrator = true
  const audit: Pick<AuditStore, 'find'> = { find: async () => ({ events: [event], next: 1 }) }
  const chunks = eventChunks(audit, {
    filter: {},
    format: 'jsonl',
    signal: new AbortController().signal,
    recheck: async () => {
      if (!isAdministrator) throw new AppError('forbidden')
    },
  })
  for (let count = 0; count < 3; count += 1) expect((await chunks.next()).done).toBe(false)
  isAdministrator = false
  await expect(chunks.next()).rejects.toMatchObject({ code: 'forbidden' })
})
