import { expect, test } from 'vitest'
import { root } from '../../shared/domain/path.ts'
import { absentStorage } from '../access/absent-storage.ts'
import { applyInstead } from '../../../test/kit/changed-storage.ts'
import type { ChangeHandler, ChangeHandlers, ChangeKind } from './change.ts'
import { refuseNothing, withPolicies, withPoliciesOnDemand, type Policy } from './policy.ts'

const calls: string[] = []

const storage = {
  ...absentStorage,
  narrow: async () => storage,
  check: async () => void calls.push('checked'),
  apply: applyInstead(absentStorage, { remove: async () => void calls.push('removed') }),
}

/** A policy that notes what it sees. */
const noting = (name: string): Policy => ({
  narrowed: () => noting(`${name} of a part`),
  async check(inner, change) {
    calls.push(`${name} checks ${change.kind}`)
    return inner.check(change)
  },
  handlers: (next) => {
    const note = <Kind extends ChangeKind>(kind: Kind): ChangeHandler<Kind> => {
      return async (change) => {
        calls.push(`${name} sees ${change.kind}`)
        return next(kind)(change)
      }
    }
    return {
      write: note('write'),
      begin: note('begin'),
      put: note('put'),
      commit: note('commit'),
      abort: note('abort'),
      makeFolder: note('makeFolder'),
      move: note('move'),
      copy: note('copy'),
      remove: note('remove'),
      setFolderTime: note('setFolderTime'),
    }
  },
})

test('a change goes through the policies in their order, also in a part of the storage', async () => {
  const whole = withPolicies(storage, [noting('first'), noting('second')])
  const removal = { kind: 'remove', path: root, recursive: false } as const
  for (const one of [whole, await whole.narrow({})]) {
    await one.check(removal)
    await one.apply(removal)
  }
  expect(calls).toEqual([
    'first checks remove',
    'second checks remove',
    'checked',
    'first sees remove',
    'second sees remove',
    'removed',
    'first of a part checks remove',
    'second of a part checks remove',
    'checked',
    'first of a part sees remove',
    'second of a part sees remove',
    'removed',
  ])
})

test('a policy without a decision about one kind of change does not compile', () => {
  const { apply } = storage
  // @ts-expect-error The removal is missing.
  const handlers: ChangeHandlers = {
    write: apply,
    begin: apply,
    put: apply,
    commit: apply,
    abort: apply,
    makeFolder: apply,
    move: apply,
    copy: apply,
    setFolderTime: apply,
  }
  expect(handlers.remove).toBe(undefined)
})

test('a policy that does not say what it refuses does not compile', () => {
  const { narrowed, handlers } = noting('any')
  // @ts-expect-error The check is missing.
  const forgotten: Policy = { narrowed, handlers }
  const decided: Policy = { narrowed, handlers, check: refuseNothing }
  expect([forgotten.check, decided.check]).toEqual([undefined, refuseNothing])
})

test('policies on demand are created once, at the first call that depends on them', async () => {
  const created: string[] = []
  const whole = withPoliciesOnDemand(
    { ...storage, stat: async () => Promise.reject(new Error('no entry')) },
    () => {
      created.push('policies')
      return [noting('only')]
    },
  )
  await expect(whole.stat(root)).rejects.toThrow('no entry')
  expect(created).toEqual([])
  calls.length = 0
  await whole.check({ kind: 'remove', path: root, recursive: false })
  await whole.apply({ kind: 'remove', path: root, recursive: false })
  expect([created, calls]).toEqual([
    ['policies'],
    ['only checks remove', 'checked', 'only sees remove', 'removed'],
  ])
})
