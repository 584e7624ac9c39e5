import { expect, test } from 'vitest'
import { noPermissions, type Permission } from '../../shared/domain/access.ts'
import { root } from '../../shared/domain/path.ts'
import type { ListedEntry } from '../state/listed-entry.ts'
import { isAvailable, type ActionContext, type ActionPlace } from './action.ts'
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
const idsAt = (place: ActionPlace) =>
  actions.filter(({ places }) => places.includes(place)).map(({ id }) => id)
const offered = (place: ActionPlace, selected: readonly ListedEntry[], granted: readonly Permission[]) =>
  actions
    .filter((action) => action.places.includes(place) && isAvailable(action, contextOf(selected, granted)))
    .map(({ id }) => id)
    .join(' ')
const all: readonly Permission[] = ['create', 'rename', 'modify', 'delete', 'share', 'download']

test('no two actions share a key or an id', () => {
  for (const of of [actions.flatMap(({ keys }) => keys), actions.map(({ id }) => id)]) {
    expect(of.filter((it, at) => of.indexOf(it) !== at)).toEqual([])
  }
})

test('the header and the bar of the selection show actions in the order of the specification', () => {
  const order = 'share rename copy move delete shell download upload info select-multiple'.split(' ')
  for (const place of ['header', 'selection-bar'] as const)
    expect(idsAt(place)).toEqual(order.filter((id) => idsAt(place).includes(id)))
  expect(new Set([...idsAt('header'), ...idsAt('selection-bar'), 'shell'])).toEqual(new Set(order))
})

test('the header has only actions that need no selected entry', () => {
  expect(offered('header', [], all)).toBe('download upload info select-multiple')
})

test.each([
  { what: 'one file', selected: [entry('a')], ids: 'share rename copy move delete download info' },
  { what: 'one folder', selected: [entry('a', true)], ids: 'share rename copy move delete download info' },
  { what: 'two files', selected: [entry('a'), entry('b')], ids: 'copy move delete download info' },
])('with $what selected, the bar offers only actions that apply', ({ selected, ids }) => {
  expect(offered('selection-bar', selected, all)).toBe(ids)
})

test('a user without permissions is offered only actions that need none', () => {
  expect([offered('header', [], []), offered('selection-bar', [entry('a')], [])]).toEqual([
    'info select-multiple',
    'info',
  ])
})
