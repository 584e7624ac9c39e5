import { expect, test } from 'vitest'
import { noPermissions, type Permission } from '../../shared/domain/access.ts'
import { root } from '../../shared/domain/path.ts'
import type { ListedEntry } from '../state/listed-entry.ts'
import { isAvailable, type ActionContext } from './action.ts'
import { actions } from './actions.ts'

const entry = (name: string, isFolder = false): ListedEntry => ({
  name,
  isFolder,
  isLink: false,
  isBroken: false,
  sizeBytes: 1,
  modifiedMs: 0,
  type: isFolder ? '' : 'text',
})
const contextOf = (selected: readonly ListedEntry[], granted: readonly Permission[]): ActionContext => ({
  folder: root,
  selected,
  may: (permission) =>
    ({ ...noPermissions, ...Object.fromEntries(granted.map((name) => [name, true])) })[permission],
  isMultiple: false,
})
const offered = (selected: readonly ListedEntry[], granted: readonly Permission[]) =>
  actions
    .filter((action) => action.places.includes('header') && isAvailable(action, contextOf(selected, granted)))
    .map(({ id }) => id)
const all: readonly Permission[] = ['create', 'rename', 'modify', 'delete', 'share', 'download']

test('no two actions share a key or an id', () => {
  for (const of of [actions.flatMap(({ keys }) => keys), actions.map(({ id }) => id)]) {
    expect(of.filter((it, at) => of.indexOf(it) !== at)).toEqual([])
  }
})

test('the header shows actions in the order of the specification', () => {
  const order = 'share rename copy move delete shell switch-view download upload info select-multiple'.split(
    ' ',
  )
  const header = actions.filter(({ places }) => places.includes('header')).map(({ id }) => id)
  expect(header).toEqual(order.filter((id) => header.includes(id)))
})

test.each([
  { what: 'nothing', selected: [], ids: 'switch-view download upload info select-multiple' },
  {
    what: 'one file',
    selected: [entry('a')],
    ids: 'share rename copy move delete switch-view download upload info select-multiple',
  },
  {
    what: 'one folder',
    selected: [entry('a', true)],
    ids: 'share rename copy move delete switch-view download upload info select-multiple',
  },
  {
    what: 'two files',
    selected: [entry('a'), entry('b')],
    ids: 'copy move delete switch-view download upload info select-multiple',
  },
])('with $what selected, only actions that apply are offered', ({ selected, ids }) => {
  expect(offered(selected, all).join(' ')).toBe(ids)
})

test('a user without permissions is offered only actions that need none', () => {
  expect(offered([entry('a')], [])).toEqual(['switch-view', 'info', 'select-multiple'])
})
