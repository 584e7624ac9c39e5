import { AppError } from '../../shared/domain/failure.ts'
import { acceptedEncoding } from './response/compression.ts'
import { FailureWithHeaders } from './response/failures.ts'
import { sendWhole, type WholeResponse } from './response/send-whole.ts'
import { pageHeaders } from './response/headers.ts'
import { sendPlan } from './response/send-bytes.ts'
import type { StaticFilePlanner } from './response/static-files.ts'
import { refuseLongHeaders, type HttpExchange } from './exchange.ts'
import type { FailureResponder } from './failure-responder.ts'
import type { RenderedPage } from './http-options.ts'
import type { ExchangeHandler } from './serve-route.ts'

export type UnroutedDependencies = {
  readonly page: () => RenderedPage | Promise<RenderedPage>
  readonly staticFiles: StaticFilePlanner
  readonly fail: FailureResponder
}

/** Creates the handler for requests that match no endpoint. It responds with the page, a static file, or a failure. */
export function serveUnrouted({ page, staticFiles, fail }: UnroutedDependencies): ExchangeHandler {
  async function respond(exchange: HttpExchange): Promise<void> {
    const { match } = exchange
    refuseLongHeaders(exchange.request)
    if (match.kind === 'page') return sendWhole(exchange, pageFor(exchange, await page()))
    if (match.kind === 'static') return sendPlan(exchange, await staticFiles(match.rest, exchange))
    throw refusalOf(exchange)
  }

  return async (exchange) => {
    try {
      await respond(exchange)
    } catch (thrown) {
      fail(exchange, thrown)
    }
  }
}

/**
 * Returns the response that contains the page. It contains a compressed copy of the page when the client accepts the
 * encoding of a stored copy.
 */
function pageFor(exchange: HttpExchange, { html, headers, encodings = {} }: RenderedPage): WholeResponse {
  const offered = (['br', 'gzip'] as const).filter((encoding) => encodings[encoding] !== undefined)
  const encoding = acceptedEncoding(exchange.header('accept-encoding'), offered)
  return {
    status: 200,
    headers: {
      ...pageHeaders(exchange),
      'content-type': 'text/html; charset=utf-8',
      ...headers,
      ...(offered.length === 0 ? {} : { vary: 'accept-encoding' }),
      ...(encoding === null ? {} : { 'content-encoding': encoding }),
    },
    body: (encoding === null ? undefined : encodings[encoding]) ?? html,
  }
}

function refusalOf({ match }: HttpExchange): AppError {
  if (match.kind === 'wrong-method')
    return new FailureWithHeaders('method-not-allowed', { allow: match.allow.join(', ') })
  if (match.kind === 'malformed') return new AppError('bad-request', { reason: 'the URL is malformed' })
  return new AppError('not-found')
}
