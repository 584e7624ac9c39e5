import { AppError } from '../../../../shared/domain/failure.ts'
import type { EntryPage, Listing } from '../../port.ts'
import { unpackNames } from '../calls/packed-names.ts'
import type { ListingPageMessage } from './rows.ts'
import type { ListingHeadMessage } from '../tasks/list.ts'

/**
 * Starts a listing and returns it when the first message from the worker thread has arrived. The worker thread sends
 * further pages as the caller iterates over them.
 */
export async function startListing(
  sent: AsyncGenerator<ListingHeadMessage | ListingPageMessage, unknown>,
): Promise<Listing> {
  const first = await sent.next()
  const head = first.value as ListingHeadMessage | ListingPageMessage
  if (!('folder' in head)) throw new AppError('internal')
  const { folder, total, folders, page } = head
  if (first.done === true) return { folder, total, folders, pages: onlyPage(page) }
  const pages = pagesOf(page, sent as AsyncGenerator<ListingPageMessage>)
  abandonedListings.register(pages, sent)
  return { folder, total, folders, pages }
}

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
  rest: AsyncGenerator<ListingPageMessage>,
): AsyncGenerator<EntryPage, void> {
  try {
    yield pageOf(first)
    for await (const page of rest) yield pageOf(page)
  } finally {
    await rest.return(undefined)
  }
}

const pageOf = (sent: ListingPageMessage): EntryPage => ({ ...sent, names: unpackNames(sent.names) })
