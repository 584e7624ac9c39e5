import { describe, expectTypeOf, test } from 'vitest'
import { getHealth } from '../../shared/contract/server.ts'
import { getPreview } from '../../shared/contract/previews.ts'
import { createShare } from '../../shared/contract/shares.ts'
import { getUser } from '../../shared/contract/users.ts'
import type { Path } from '../../shared/domain/path.ts'
import type { Caller } from '../access/caller.ts'
import { done, route } from './route.ts'

describe('the request of an operation has the types of its endpoint', () => {
  test('the parameters of its pattern', () => {
    route(getUser, ({ params }) => {
      expectTypeOf(params).toEqualTypeOf<{ readonly id: number }>()
      return done
    })
    route(getPreview, ({ params }) => {
      expectTypeOf(params).toEqualTypeOf<{ readonly size: string }>()
      return done
    })
    // @ts-expect-error: the pattern has no parameters
    route(getHealth, ({ params }) => ({ kind: 'json', json: params.id }))
  })

  test('a path if the pattern contains a path', () => {
    route(getPreview, ({ path }) => {
      expectTypeOf(path).toEqualTypeOf<Path>()
      return done
    })
    // @ts-expect-error: the pattern has no path
    route(getUser, ({ path }) => ({ kind: 'json', json: path }))
  })

  test('a caller if the endpoint requires a session', () => {
    route(getUser, ({ caller }) => {
      expectTypeOf(caller).toEqualTypeOf<Caller>()
      return done
    })
    route(getHealth, ({ caller }) => {
      expectTypeOf(caller).toEqualTypeOf<undefined>()
      return done
    })
  })

  test('the query and the body that its schemas describe', () => {
    route(createShare, ({ query, body }) => {
      expectTypeOf(query.unit).toEqualTypeOf<string | undefined>()
      expectTypeOf(body.expires).toEqualTypeOf<string | number | null | undefined>()
      return done
    })
    // @ts-expect-error: the endpoint has no such key
    route(createShare, ({ query }) => ({ kind: 'json', json: query.until }))
  })
})
