import { expect, test } from 'vitest'
import type { Permission } from '../../shared/domain/access.ts'
import type { SessionRecord } from '../records/session-store.ts'
import type { User } from '../records/user-store.ts'
import { absentStorage } from './absent-storage.ts'
import { callerOf, type ActorStorage } from './caller.ts'

const who = {
  user: { username: 'ann' } as User,
  session: { id: 's1' } as SessionRecord,
  accessKey: 'everything',
  may: (permission: Permission) => permission === 'download',
  recheck: async () => {},
}

const storage: ActorStorage = {
  ...absentStorage,
  headOf: async () => null,
  asOne: (_, work) => work(absentStorage),
}

test('the storage of a caller is created once, on first use', () => {
  let opened = 0
  const open = (): ActorStorage => {
    opened += 1
    return storage
  }
  const caller = callerOf(who, open)
  expect([caller.user, caller.session, caller.may('download'), caller.may('admin')]).toEqual([
    who.user,
    who.session,
    true,
    false,
  ])
  expect([caller.usesStorage(), opened]).toEqual([false, 0])
  expect([caller.storage, caller.storage, opened]).toEqual([storage, storage, 1])
  expect(caller.usesStorage()).toBe(true)
  expect([callerOf(who, open).storage, opened]).toEqual([storage, 2])
})
