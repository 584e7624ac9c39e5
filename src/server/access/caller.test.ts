import { expect, test } from 'vitest'
import type { SessionRecord, User } from '../records/port.ts'
import type { Storage } from '../storage/port.ts'
import { absentStorage } from './absent-storage.ts'
import { callerOf } from './caller.ts'

const who = {
  user: { perm: { download: true, admin: false } } as User,
  session: { id: 's1' } as SessionRecord,
  accessKey: 'everything',
}

test('the storage of a caller is created once, on first use', () => {
  let opened = 0
  const open = (): Storage => {
    opened += 1
    return absentStorage
  }
  const caller = callerOf(who, open)
  expect([caller.user, caller.session, caller.may('download'), caller.may('admin'), opened]).toEqual([
    who.user,
    who.session,
    true,
    false,
    0,
  ])
  expect([caller.storage, caller.storage, opened]).toEqual([absentStorage, absentStorage, 1])
  expect([callerOf(who, open).storage, opened]).toEqual([absentStorage, 2])
})
