import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { contractEndpoints } from '../../scripts/docs/contract-endpoints.ts'
import { defaultSettings } from '../../src/shared/contract/setting-fields.ts'
import { callsWithoutEvent, hookEvents } from '../../src/shared/contract/hook-events.ts'
import { routes } from '../../src/shared/contract/routes.ts'
import {
  callsWithoutEndpoint,
  callsWithoutHookEvent,
  forgottenActions,
  forgottenRoutes,
  unboundEndpoints,
} from './rules/plug-points.ts'
import { readTree, treeOf } from './source-tree.ts'

/**
 * These tests check the extension points of the code. An extension consists of one file and at most one line in a list.
 * The tests fail when this line is missing.
 */
const folder = path.resolve(import.meta.dirname, '../../src')
const src = readTree(folder)

const endpoints = await contractEndpoints()

describe('an endpoint', () => {
  test('exists for every route', () =>
    expect(callsWithoutEndpoint(Object.keys(routes), endpoints)).toEqual([]))
  test('that is missing is reported', () => {
    expect(callsWithoutEndpoint(['files.fold'], endpoints)).toEqual(['files.fold has 0 endpoints'])
  })

  test('is bound to an operation', () => expect(unboundEndpoints(src)).toEqual([]))
  test('that is not bound is reported', () => {
    const sample = {
      'shared/contract/a.ts': 'export const a = endpoint({}), b = endpoint({}), c = endpoint({})',
      'server/a/routes.ts': 'export const aRoutes = [route(a, f), { endpoint: b, connect }]',
    }
    expect(unboundEndpoints(treeOf(sample))).toEqual(['c is bound to no operation'])
  })

  test('has routes that the composition root uses', () => expect(forgottenRoutes(src)).toEqual([]))
  test('whose routes are not used is reported', () => {
    const sample = {
      'server/a/routes.ts': '',
      'server/b/routes.ts': '',
      'server/build.ts': `import { a } from './a/routes.ts'`,
    }
    expect(forgottenRoutes(treeOf(sample))).toEqual(['server/b/routes.ts is not composed'])
  })
})

describe('a hook event', () => {
  test('is triggered by every endpoint that changes a file', () =>
    expect(callsWithoutHookEvent(routes, hookEvents, callsWithoutEvent)).toEqual([]))
  test('that is missing for an endpoint is reported', () => {
    const sample = {
      'files.fold': { method: 'POST', pattern: '/api/fold/*' },
      'files.look': { method: 'GET', pattern: '/api/look/*' },
      'files.link': { method: 'POST', pattern: '/api/link/*' },
      'files.save': { method: 'PUT', pattern: '/api/files/*' },
    }
    const events = [{ name: 'save', calls: ['files.save'] }]
    expect(callsWithoutHookEvent(sample, events, ['files.link'])).toEqual(['files.fold is no hook event'])
  })
  test('has its two lists in the settings', () => {
    const lists = hookEvents.flatMap(({ name }) => [`after_${name}`, `before_${name}`])
    expect(Object.keys(defaultSettings.commands)).toEqual(lists)
  })
})

describe('an action', () => {
  test('is in the list', () => expect(forgottenActions(src)).toEqual([]))
  test('that is not in the list is reported', () => {
    const sample = {
      'client/actions/actions.ts': `import { a } from './a.ts'`,
      'client/actions/a.ts': 'export const a: Action = {}',
      'client/actions/b.ts': 'export const b: Action = {}',
    }
    expect(forgottenActions(treeOf(sample))).toEqual(['client/actions/b.ts is not in the list of actions'])
  })
})
