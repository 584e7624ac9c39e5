import type { IncomingMessage, ServerResponse } from 'node:http'
import type { RouteName } from '../../shared/contract/routes.ts'
import { createRoll } from '../../shared/domain/roll.ts'
import { headerReader, type Exchange } from './exchange.ts'
import type { HttpLimits, HttpOptions } from './http-options.ts'
import { createLifeline } from './lifeline.ts'
import { clientOf } from './request/client-address.ts'
import { readTarget } from './request/request-target.ts'
import { createRouteTable, type Match } from './request/route-table.ts'

export type ExchangesNeeds = {
  readonly names: readonly RouteName[]
  readonly options: HttpOptions
  readonly limits: HttpLimits
  readonly isTrusted: (address: string) => boolean
  readonly newId: () => string
}

/** The requests that are under way. */
export type Exchanges = {
  begin(request: IncomingMessage, response: ServerResponse): Exchange
  of(request: IncomingMessage): Exchange
  /** Tells every one of them that the server stops. */
  cutAll(): void
}

/** Written on the request: a weak map whose values lead to their keys lets young garbage grow old. */
const begun = Symbol('exchange')
type Begun = IncomingMessage & { [begun]?: Exchange }

export function openExchanges({ names, options, limits, isTrusted, newId }: ExchangesNeeds): Exchanges {
  const match = createRouteTable(names)
  const underWay = createRoll<Exchange>()

  function begin(request: IncomingMessage, response: ServerResponse): Exchange {
    const target = namesOneHost(request) ? readTarget(request.url ?? '', options.basePath) : null
    let id: string | undefined
    const exchange: Exchange = {
      id: () => (id ??= newId()),
      request,
      response,
      target,
      match: target === null ? malformed : match(request.method ?? '', target.path),
      client: clientOf(request, isTrusted),
      lifeline: createLifeline(response),
      limits,
      header: headerReader(request),
      shouldRenew: false,
    }
    ;(request as Begun)[begun] = exchange
    response.on('close', underWay.add(exchange))
    return exchange
  }

  return {
    begin,
    of(request) {
      const exchange = (request as Begun)[begun]
      if (exchange === undefined) throw new Error('a request that never began')
      return exchange
    },
    cutAll: () => underWay.all().forEach((exchange) => exchange.lifeline.cut('stop')),
  }
}

/** As RFC 9112 3.2 asks of HTTP/1.1: two readers of one request must not see two hosts. */
function namesOneHost({ rawHeaders, httpVersion }: IncomingMessage): boolean {
  let hosts = 0
  for (let at = 0; at < rawHeaders.length; at += 2) {
    if (rawHeaders[at]?.length === 4 && rawHeaders[at]?.toLowerCase() === 'host') hosts += 1
  }
  return hosts === 1 || (hosts === 0 && httpVersion === '1.0')
}

const malformed: Match = { kind: 'malformed' }
