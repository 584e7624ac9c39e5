import { createElement, lazy, useState, type ComponentType, type FunctionComponent } from 'react'
import { CallError } from '../api/call.ts'

/**
 * Time limit for loading the code of a screen (specification 9): 2 minutes, so that a slow mobile connection still
 * succeeds. After this time the load counts as failed.
 */
const timeoutMs = 120_000

/** A screen whose code is loaded when the screen is first shown, or ahead of time by `fetch`. */
export type LazyScreen<P> = {
  readonly Screen: FunctionComponent<P>
  /** Loads the code ahead of time. Never rejects. A failed load is repeated when the screen is shown. */
  readonly fetch: () => Promise<void>
}

/**
 * Creates a screen from a function that loads its component. A failed load is repeated once. When the second attempt
 * fails too, the screen throws. Code that was loaded ahead of time is rendered without Suspense, because React delays
 * the screen by 300 ms even after a short fallback.
 */
export function lazyScreen<P extends object>(load: () => Promise<ComponentType<P>>): LazyScreen<P> {
  let loadedComponent: ComponentType<P> | null = null
  const LazyComponent = lazy(async () => ({ default: await withTimeout(load().catch(load)) }))
  function Screen(props: P) {
    const [Component] = useState<ComponentType<P>>(() => loadedComponent ?? LazyComponent)
    return createElement(Component, props)
  }
  const fetch = async (): Promise<void> => {
    loadedComponent = await load().catch(() => loadedComponent)
  }
  return { Screen, fetch }
}

/** Every failure counts as an unreachable server, because browsers do not say why an import failed. */
async function withTimeout<T>(loading: Promise<T>): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const timeout = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new CallError(0)), timeoutMs)
  })
  try {
    return await Promise.race([loading, timeout])
  } catch {
    throw new CallError(0)
  } finally {
    clearTimeout(timer)
  }
}
