import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import type { RouteName } from '../../shared/contract/routes.ts'
import { createRoll } from '../../shared/domain/roll.ts'
import { createDeparture } from './answer/departure.ts'
import type { SessionWatcher } from './doors.ts'
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
  /** Whether an answer has begun on a connection and has not been handed over whole. */
  readonly isAnswering: (socket: Duplex) => boolean
  /** Tells every one of them that the server stops. */
  cutAll(): void
  /** Ends their transfers when their sessions end. */
  readonly watcher: SessionWatcher
}

export function openExchanges({ names, options, limits, isTrusted, newId }: ExchangesNeeds): Exchanges {
  const match = createRouteTable(names)
  const underWay = createRoll<Exchange>()
  const depart = createDeparture()

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
      depart,
      header: headerReader(request),
      sessionId: null,
      shouldRenew: false,
    }
    const leave = underWay.add(exchange)
    response.on('close', () => {
      leave()
      exchange.lifeline.close()
    })
    return exchange
  }

  return {
    begin,
    isAnswering: (socket) =>
      underWay
        .all()
        .some(
          ({ request, response }) =>
            request.socket === socket && response.headersSent && !response.writableFinished,
        ),
    cutAll: () => underWay.all().forEach(({ lifeline }) => lifeline.cut('stop')),
    watcher: {
      running: () => underWay.all().flatMap(({ sessionId }) => sessionId ?? []),
      ended(ids) {
        for (const { sessionId, lifeline } of underWay.all())
          if (sessionId !== null && ids.has(sessionId)) lifeline.endSession()
      },
    },
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
