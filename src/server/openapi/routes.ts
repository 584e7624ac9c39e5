import { getOpenApi } from '../../shared/contract/openapi.ts'
import { route, type Route } from '../http/route.ts'
import type { SocketRoute } from '../http/socket-route.ts'
import { describeApi, type Described } from './describe-api.ts'

type Bound = { readonly routes: readonly Route[]; readonly sockets: readonly SocketRoute[] }

/** Adds the call that describes all of them, itself too. */
export function withOpenApi({ routes, sockets }: Bound, described: Described): Bound {
  const endpoints = [...routes, ...sockets].map(({ endpoint }) => endpoint)
  const document = describeApi([...endpoints, getOpenApi], described)
  return { sockets, routes: [...routes, route(getOpenApi, async () => ({ kind: 'json', json: document }))] }
}
