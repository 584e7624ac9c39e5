import { createElement, lazy, useState, type ComponentType, type FunctionComponent } from 'react'
import { CallError } from '../api/call.ts'

/** How long a screen's code may take to come (specification 9). */
const mostMs = 120_000

/** A screen whose code is fetched when it is shown, or before. */
export type LazyScreen<P> = {
  readonly Screen: FunctionComponent<P>
  /** Fetches the code ahead. Never rejects: what fails is tried again when the screen is shown. */
  readonly fetch: () => Promise<void>
}

/**
 * One failed attempt is repeated; then the error screen has a retry. What was fetched ahead is shown as it is: after a fallback, be
 * it for a moment, React holds a screen back for 300 ms.
 */
export function lazyScreen<P extends object>(load: () => Promise<ComponentType<P>>): LazyScreen<P> {
  let here: ComponentType<P> | null = null
  const Late = lazy(async () => ({ default: await inTime(load().catch(load)) }))
  function Screen(props: P) {
    const [Chosen] = useState<ComponentType<P>>(() => here ?? Late)
    return createElement(Chosen, props)
  }
  const fetch = async (): Promise<void> => {
    here = await load().catch(() => here)
  }
  return { Screen, fetch }
}

async function inTime<T>(coming: Promise<T>): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new CallError(0)), mostMs)
  })
  try {
    return await Promise.race([coming, late])
  } catch {
    throw new CallError(0)
  } finally {
    clearTimeout(timer)
  }
}
