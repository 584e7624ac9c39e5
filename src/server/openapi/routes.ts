import { getOpenApi } from '../../shared/contract/server.ts'
import { route, type Route } from '../http/route.ts'
import type { SocketRoute } from '../http/socket-route.ts'
import { describeApi, type ApiDescriptionOptions } from './describe-api.ts'

type BoundRoutes = { readonly routes: readonly Route[]; readonly sockets: readonly SocketRoute[] }

/** Adds the route of the OpenAPI document. The document describes all calls, including the call that returns it. */
export function withOpenApi({ routes, sockets }: BoundRoutes, options: ApiDescriptionOptions): BoundRoutes {
  const endpoints = [...routes, ...sockets].map(({ endpoint }) => endpoint)
  let document: unknown
  const openApiRoute = route(getOpenApi, async () => {
    // Most servers never send the document, and creating it takes a tenth of the time of a start.
    document ??= describeApi([...endpoints, getOpenApi], options)
    return { kind: 'json', json: document }
  })
  return { sockets, routes: [...routes, openApiRoute] }
}
