import { createTicket } from '../../shared/contract/tickets.ts'
import { AppError } from '../../shared/domain/failure.ts'
import { pathOf, type Path } from '../../shared/domain/path.ts'
import { route, type Route } from '../http/route.ts'
import type { Session } from '../records/port.ts'

export type TicketNeeds = {
  /** A text that stands for the session at one place, for a minute. */
  readonly issueTicket: (session: Session, place: { readonly kind: string; readonly path: Path }) => string
}

/** Tickets for addresses that others may come to see (contract 2.9). What they open is judged where they are used. */
export const ticketRoutes = (needs: TicketNeeds): readonly Route[] => [
  route(createTicket, async ({ caller, body }) => {
    const path = pathOf(body.path)
    if (path === null) throw new AppError('bad-request', { reason: 'the path is malformed' })
    return { kind: 'text', text: needs.issueTicket(caller.session, { kind: body.kind, path }) }
  }),
]
