import { AppError } from '../../../../shared/domain/failure.ts'
import type { EntryPage, Listing } from '../../port.ts'
import { unpackNames } from '../calls/packed-names.ts'
import type { ListingPageMessage } from './rows.ts'
import type { ListingEnd, ListingHeadMessage } from '../tasks/list.ts'

/**
 * Starts a listing and returns it when the first message from the worker thread has arrived. The worker thread sends
 * further pages as the caller iterates over them.
 */
export async function startListing(
  sent: AsyncGenerator<ListingHeadMessage | ListingPageMessage, unknown>,
): Promise<Listing> {
  const first = await sent.next()
  const message = first.value as ListingHeadMessage | ListingPageMessage
  if (!('folder' in message)) throw new AppError('internal')
  const { page, identity, ...head } = message
  if (first.done === true) {
    return { ...head, pages: onlyPage(page), heldBytes: 0, discard: async () => {} }
  }
  let isCoveredByWatch = false
  const pages = pagesOf(page, sent as ListingPageStream, (end) => ({ isCoveredByWatch } = end))
  abandonedListings.register(pages, sent)
  const discard = async (): Promise<void> => void (await sent.return(undefined))
  const localDisk = { identity, isCoveredByWatch: () => isCoveredByWatch }
  return { ...head, pages, localDisk, discard }
}

type ListingPageStream = AsyncGenerator<ListingPageMessage, ListingEnd>

/** Yields the only page of a small folder, which arrives in the first message. */
async function* onlyPage(page: ListingPageMessage): AsyncGenerator<EntryPage, void> {
  yield pageOf(page)
}

/**
 * Ends listings that were garbage-collected before their pages were iterated, because an unfinished listing occupies a
 * worker thread.
 */
const abandonedListings = new FinalizationRegistry((sent: AsyncGenerator) => void sent.return(undefined))

async function* pagesOf(
  first: ListingPageMessage,
  rest: ListingPageStream,
  onEnd: (end: ListingEnd) => void,
): AsyncGenerator<EntryPage, void> {
  let next: IteratorResult<ListingPageMessage, ListingEnd> | undefined
  try {
    yield pageOf(first)
    for (next = await rest.next(); next.done !== true; next = await rest.next()) yield pageOf(next.value)
    onEnd(next.value)
  } finally {
    if (next?.done !== true) await (rest as AsyncGenerator).return(undefined)
  }
}

const pageOf = (sent: ListingPageMessage): EntryPage => ({ ...sent, names: unpackNames(sent.names) })
