import type { Desk } from './desk.ts'

/** How long a delete, move or copy may take before a notice says that it runs (ux 2.1). */
const patienceMs = 300

/** Does the work; a notice tells of it while nothing has answered for 300 ms. */
export async function withLoadingNotice<T>(
  { later, tellWorking }: Pick<Desk, 'later' | 'tellWorking'>,
  text: string,
  work: Promise<T>,
): Promise<T> {
  let stop: (() => void) | undefined
  const forget = later(() => {
    stop = tellWorking(text)
  }, patienceMs)
  try {
    return await work
  } finally {
    forget()
    stop?.()
  }
}
