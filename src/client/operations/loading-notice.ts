import type { OperationContext } from './operation-context.ts'

/** Delay before a running delete, move or copy shows a notice (ux 2.1). */
const noticeDelayMs = 300

/** Awaits `work`. When the work takes longer than `noticeDelayMs`, shows a notice until the work ends. */
export async function withLoadingNotice<T>(
  { later, notifyWork }: Pick<OperationContext, 'later' | 'notifyWork'>,
  text: string,
  work: Promise<T>,
): Promise<T> {
  let hideNotice: (() => void) | undefined
  const cancel = later(() => {
    hideNotice = notifyWork(text)
  }, noticeDelayMs)
  try {
    return await work
  } finally {
    cancel()
    hideNotice?.()
  }
}
