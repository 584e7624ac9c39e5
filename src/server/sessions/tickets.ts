import { createTicket } from '../../shared/contract/tickets.ts'
import { AppError } from '../../shared/domain/failure.ts'
import { pathOf, type Path } from '../../shared/domain/path.ts'
import { route, type Route } from '../http/route.ts'
import type { SessionRecord } from '../records/session-store.ts'

export type TicketRouteDependencies = {
  /** Issues a ticket: a text that authorises requests for one target under the session, for one minute. */
  readonly issueTicket: (
    session: SessionRecord,
    target: { readonly kind: string; readonly path: Path },
  ) => Promise<string>
}

/**
 * The route that issues tickets for use in URLs, which other people may see (contract 2.9). Whether the session may
 * open the target is checked when the ticket is used.
 */
export const ticketRoutes = (dependencies: TicketRouteDependencies): readonly Route[] => [
  route(createTicket, async ({ caller, body }) => {
    const path = pathOf(body.path)
    if (path === null) throw new AppError('bad-request', { reason: 'the path is malformed' })
    return { kind: 'text', text: await dependencies.issueTicket(caller.session, { kind: body.kind, path }) }
  }),
]
