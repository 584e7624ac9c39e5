import { expect, test } from 'vitest'
import { applyInstead } from '../../../test/kit/changed-storage.ts'
import { permissions, type Permission } from '../../shared/domain/access.ts'
import { codeOf } from '../../shared/domain/failure.ts'
import { root, type Path } from '../../shared/domain/path.ts'
import type { Change, ChangeHandlers, ChangeKind } from '../storage/change.ts'
import { withPolicies } from '../storage/policy.ts'
import { absentStorage } from './absent-storage.ts'
import { permissionsPolicy } from './permissions-policy.ts'

const path = '/a' as Path
const upload = { path, token: 'token' }
const part = { offsetBytes: 0, maxBytes: 1, body: (async function* () {})() }

const changes: {
  readonly [Kind in ChangeKind]: readonly (readonly [Change<Kind>, readonly Permission[]])[]
} = {
  write: [
    [{ kind: 'write', path, body: part.body, overwrite: 'create' }, ['create']],
    [{ kind: 'write', path, body: part.body, overwrite: 'replace' }, ['modify']],
    [{ kind: 'write', path, body: part.body, overwrite: 'upsert' }, ['create', 'modify']],
  ],
  begin: [
    [{ kind: 'begin', path, overwrite: 'create' }, ['create']],
    [{ kind: 'begin', path, overwrite: 'upsert' }, ['create', 'modify']],
  ],
  put: [
    [{ kind: 'put', upload, part, overwrite: 'create' }, ['create']],
    [{ kind: 'put', upload, part, overwrite: 'upsert' }, ['create', 'modify']],
  ],
  commit: [
    [{ kind: 'commit', upload, overwrite: 'create' }, ['create']],
    [{ kind: 'commit', upload, overwrite: 'upsert' }, ['create', 'modify']],
  ],
  abort: [[{ kind: 'abort', upload }, []]],
  makeFolder: [[{ kind: 'makeFolder', path }, ['create']]],
  move: [
    [{ kind: 'move', path, to: path, overwrite: 'create' }, ['rename']],
    [{ kind: 'move', path, to: path, overwrite: 'upsert' }, ['modify', 'rename']],
  ],
  copy: [
    [{ kind: 'copy', path, to: path, overwrite: 'create' }, ['create']],
    [{ kind: 'copy', path, to: path, overwrite: 'upsert' }, ['modify', 'create']],
  ],
  remove: [
    [{ kind: 'remove', path, recursive: true }, ['delete']],
    [{ kind: 'remove', path, recursive: true, undoes: true }, []],
  ],
  setFolderTime: [[{ kind: 'setFolderTime', path, modifiedMs: 0, ifMatch: '' }, ['create']]],
}

const cases = Object.values(changes).flatMap((list) => [...list])

test.each(cases)('%o takes these permissions and no others: %o', async (change, needed) => {
  let made = 0
  const make = async (): Promise<never> => {
    made += 1
    return undefined as never
  }
  const kinds = Object.keys(changes) as ChangeKind[]
  const handlers = Object.fromEntries(kinds.map((kind) => [kind, make])) as Partial<ChangeHandlers>
  const storage = { ...absentStorage, apply: applyInstead(absentStorage, handlers) }
  const applyFor = (held: readonly Permission[]) =>
    withPolicies(storage, [permissionsPolicy((permission) => held.includes(permission))])
      .apply(change)
      .then(() => null, codeOf)
  expect(await applyFor(needed)).toBe(null)
  expect(made).toBe(1)
  for (const missing of needed) {
    expect(await applyFor(permissions.filter((permission) => permission !== missing))).toBe('forbidden')
  }
  expect(made).toBe(1)
})

test('the check of a change refuses as the change itself', async () => {
  const storage = withPolicies(absentStorage, [permissionsPolicy(() => false)])
  const checked = storage.check({ kind: 'move', path: root, to: root, overwrite: 'upsert' })
  await expect(checked).rejects.toMatchObject({ code: 'forbidden', permission: 'modify' })
})
