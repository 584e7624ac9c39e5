import type { FastifyInstance } from 'fastify'
import { AppError } from '../../shared/domain/failure.ts'
import { acceptedEncoding } from './answer/compression.ts'
import { Refusal } from './answer/failures.ts'
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
  app.route({
    method: ['GET', 'HEAD'],
    url: addresses.page,
    handler: (request, reply) => {
      const { header } = needs.exchanges.of(request.raw)
      const { html, headers, encodings = {} } = needs.page()
      const offered = (['br', 'gzip'] as const).filter((encoding) => encodings[encoding] !== undefined)
      const encoding = acceptedEncoding(header('accept-encoding'), offered)
      return reply
        .headers({ ...pageAnswer, 'content-type': 'text/html; charset=utf-8', ...headers })
        .headers(offered.length === 0 ? {} : { vary: 'accept-encoding' })
        .headers(encoding === null ? {} : { 'content-encoding': encoding })
        .send((encoding === null ? undefined : encodings[encoding]) ?? html)
    },
  })
  app.route({
    method: ['GET', 'HEAD'],
    url: addresses.static,
    handler: async (request, reply) => {
      const { match, header } = needs.exchanges.of(request.raw)
      const { status, headers, body } = await needs.staticFiles(
        match.kind === 'static' ? match.rest : '',
        header,
      )
      return reply
        .code(status)
        .headers(headers)
        .send(status === 304 ? undefined : body)
    },
  })
  app.setNotFoundHandler((request) => {
    throw refusalOf(needs.exchanges.of(request.raw))
  })
}

function refusalOf({ match }: Exchange): AppError {
  if (match.kind === 'wrong-method')
    return new Refusal('method-not-allowed', { allow: match.allow.join(', ') })
  if (match.kind === 'malformed') return new AppError('bad-request', { reason: 'the address is malformed' })
  return new AppError('not-found')
}
