import type { FastifyInstance } from 'fastify'
import { AppError } from '../../shared/domain/failure.ts'
import { acceptedEncoding } from './answer/compression.ts'
import { Refusal } from './answer/failures.ts'
import { sendWhole, type Whole } from './answer/leave.ts'
import { pageAnswer } from './answer/headers.ts'
import type { StaticFiles } from './answer/static-files.ts'
import type { Exchange } from './exchange.ts'
import type { Page } from './http-options.ts'
import type { Exchanges } from './open-exchanges.ts'

export type OutsideNeeds = {
  readonly exchanges: Exchanges
  readonly page: () => Page
  readonly staticFiles: StaticFiles
}

/** Where the framework finds what no endpoint has. */
export const addresses = { page: '/page', static: '/static', refusal: '/refusal' } as const

/** The address inside the framework of what a request leads to: ours, whatever the client's looked like. */
export function addressOf({ match }: Exchange): string {
  if (match.kind === 'route') return `/${match.name}`
  if (match.kind === 'page' || match.kind === 'static') return addresses[match.kind]
  return addresses.refusal
}

/** Binds the page, the files of the build, and the refusal of everything else. */
export function serveOutside(app: FastifyInstance, needs: OutsideNeeds): void {
  const { exchanges, staticFiles } = needs
  const method = ['GET', 'HEAD']
  app.route({
    method,
    url: addresses.page,
    handler: (request, reply) => {
      const exchange = exchanges.of(request.raw)
      sendWhole(exchange, reply, pageFor(exchange, needs.page()))
    },
  })
  app.route({
    method,
    url: addresses.static,
    handler: async (request, reply) => {
      const exchange = exchanges.of(request.raw)
      const rest = exchange.match.kind === 'static' ? exchange.match.rest : ''
      sendWhole(exchange, reply, await staticFiles(rest, exchange.header))
      return reply
    },
  })
  app.setNotFoundHandler((request) => {
    throw refusalOf(exchanges.of(request.raw))
  })
}

/** The same bytes for everybody, compressed for who takes them so. */
function pageFor({ header }: Exchange, { html, headers, encodings = {} }: Page): Whole {
  const offered = (['br', 'gzip'] as const).filter((encoding) => encodings[encoding] !== undefined)
  const encoding = acceptedEncoding(header('accept-encoding'), offered)
  return {
    status: 200,
    headers: {
      ...pageAnswer,
      'content-type': 'text/html; charset=utf-8',
      ...headers,
      ...(offered.length === 0 ? {} : { vary: 'accept-encoding' }),
      ...(encoding === null ? {} : { 'content-encoding': encoding }),
    },
    body: (encoding === null ? undefined : encodings[encoding]) ?? html,
  }
}

function refusalOf({ match }: Exchange): AppError {
  if (match.kind === 'wrong-method')
    return new Refusal('method-not-allowed', { allow: match.allow.join(', ') })
  if (match.kind === 'malformed') return new AppError('bad-request', { reason: 'the address is malformed' })
  return new AppError('not-found')
}
