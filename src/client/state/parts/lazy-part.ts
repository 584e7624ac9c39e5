import {
  createElement,
  type ComponentType,
  type FunctionComponent,
  startTransition,
  useLayoutEffect,
  useState,
} from 'react'
import { PartLoadError, statusOfMissingPart } from './part-load-error.ts'
import { loadingTexts } from './text-loading.ts'

/**
 * Time limit for loading a module (specification 9): 2 minutes, so that a slow mobile connection still succeeds. After
 * this time the load counts as failed.
 */
const timeoutMs = 120_000

/** A module that is loaded when one of its parts is first shown, or by `load`. */
export type LazyModule<M> = {
  /** Loads the module. Rejects with a `PartLoadError`; the next call loads it again. */
  readonly load: () => Promise<M>
  /** Loads the module ahead of time. Never rejects. */
  readonly prepare: () => Promise<void>
  /** Loads the module. Returns null until it is there. */
  readonly useModule: () => M | null
  /** Returns a component that renders a part of the module. Until the module is there, `Fallback` is shown, or nothing. */
  readonly part: <P extends object>(
    pick: (module: M) => ComponentType<P>,
    Fallback?: ComponentType<P>,
  ) => FunctionComponent<P>
}

/** The style sheets that could not be loaded. The events of elements that load something do not bubble. */
const failedSheets = new Set<HTMLLinkElement>()
// Tests of modules that are loaded with this one have no window.
globalThis.window?.addEventListener(
  'error',
  ({ target }) => {
    if (target instanceof HTMLLinkElement && target.rel === 'stylesheet') failedSheets.add(target)
  },
  true,
)

/** Requests the style sheets that could not be loaded again. The bundler requests each style sheet only once. */
function requestFailedSheets(): void {
  for (const link of failedSheets) link.replaceWith(link.cloneNode())
  failedSheets.clear()
}

/**
 * Creates a handle of a module from the function that imports it. A part of the module throws a `PartLoadError` when a load
 * and its repetition fail, and when a load takes too long. It loads the module again when it is rendered anew.
 *
 * A part is shown as soon as the module has arrived. `lazy` of React would suspend it, and React shows what was suspended
 * up to 300 ms after its fallback, for each of several parts inside each other.
 */
export function lazyModule<M extends object>(importModule: () => Promise<M>): LazyModule<M> {
  let loaded: M | null = null
  let loading: Promise<M> | null = null
  const attempt = async (): Promise<M> => {
    const module = await importModule().catch(importModule)
    // Without the texts of its language, a part would be shown in English first.
    const texts = loadingTexts()
    if (texts !== null) await texts
    loaded = module
    return module
  }
  const forget = (failed: Promise<M>): void => {
    if (loading === failed) loading = null
  }
  // A load that failed ahead of time is repeated by `load`. When a load took too long, `load` fails once.
  const request = (): Promise<M> => {
    if (loading !== null) return loading
    requestFailedSheets()
    const mine = withTimeout(
      attempt().catch(async (cause: unknown) => {
        forget(mine)
        throw new PartLoadError(await statusOfMissingPart(), cause)
      }),
    )
    loading = mine
    return mine
  }
  const load = async (): Promise<M> => {
    const mine = request()
    try {
      return await mine
    } catch (thrown) {
      forget(mine)
      throw thrown
    }
  }
  const prepare = async (): Promise<void> => void (await request().catch(() => undefined))
  const useModule = (): M | null => {
    // The compiler would move the function that reads `loaded` out of its scope.
    'use no memo'
    const [module, setModule] = useState(() => loaded)
    const [failure, setFailure] = useState<PartLoadError | null>(null)
    const isMissing = module === null
    useLayoutEffect(() => {
      if (!isMissing) return
      load().then(
        // Rendering may be interrupted, so that it does not delay rows that are arriving and keys that are pressed.
        (arrived) => startTransition(() => setModule(() => arrived)),
        setFailure,
      )
    }, [isMissing])
    if (failure !== null) throw failure
    return module
  }
  const part: LazyModule<M>['part'] = (pick, Fallback) =>
    function Part(props) {
      const module = useModule()
      if (module !== null) return createElement(pick(module), props)
      return Fallback ? createElement(Fallback, props) : null
    }
  return { load, prepare, useModule, part }
}

/** Creates a component whose code is loaded when it is first shown. It is a module with one part. */
export const lazyPart = <P extends object>(
  importComponent: () => Promise<ComponentType<P>>,
  Fallback?: ComponentType,
): FunctionComponent<P> =>
  lazyModule(async () => ({ Component: await importComponent() })).part(
    ({ Component }) => Component,
    Fallback as ComponentType<P> | undefined,
  )

async function withTimeout<T>(loading: Promise<T>): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const timeout = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new PartLoadError(0)), timeoutMs)
  })
  try {
    return await Promise.race([loading, timeout])
  } finally {
    clearTimeout(timer)
  }
}
