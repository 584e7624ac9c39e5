import type { OperationContext } from './operation-context.ts'

/** A delete, move or copy that takes longer than this shows a notice that it is running (ux 2.1). */
const noticeDelayMs = 300

/** Waits for work, and shows a notice while it takes longer than `noticeDelayMs`. */
export async function withLoadingNotice<T>(
  { later, tellWorking }: Pick<OperationContext, 'later' | 'tellWorking'>,
  text: string,
  work: Promise<T>,
): Promise<T> {
  let hideNotice: (() => void) | undefined
  const cancel = later(() => {
    hideNotice = tellWorking(text)
  }, noticeDelayMs)
  try {
    return await work
  } finally {
    cancel()
    hideNotice?.()
  }
}
