import { previewFolderOf } from '../config/state-paths.ts'
import type { Config } from '../config/serving-options.ts'
import type { Route } from '../http/route.ts'
import { conversionLimits } from '../previews/conversion.ts'
import { createConverterPool } from '../previews/converter-pool.ts'
import { createMakePreview } from '../previews/make-preview.ts'
import { createPreviewCache } from '../previews/preview-cache.ts'
import { previewRoutes } from '../previews/routes.ts'
import { createKeyedLimiter } from '../concurrency/keyed-limiter.ts'

/** The dependencies of previews. */
type PreviewModuleDependencies = {
  readonly config: Config
  readonly runtime: {
    readonly nowMs: () => number
    readonly randomBytes: (count: number) => Uint8Array
    readonly log: (line: string) => void
  }
  readonly onFault: (error: unknown) => void
}

/** The routes of the preview feature. `close` ends the processes that convert images. */
export type PreviewModule = { readonly routes: readonly Route[]; close(): void }

/** The maximum size of the preview cache on disk: 512 MiB. */
const maxCacheBytes = 512 * 1024 * 1024

/** Creates the preview feature with its converter processes, its cache and its routes. */
export function composePreviews({ config, runtime, onFault }: PreviewModuleDependencies): PreviewModule {
  const { timeMs, processBytes, maxConcurrentPerUser: maxConcurrent } = conversionLimits
  const converterPool = createConverterPool({
    entry: new URL('../previews/converter-process.ts', import.meta.url),
    processes: config.imageProcessors,
    timeMs,
    processBytes,
    maxPixels: config.maxImagePixels,
    onFault,
  })
  const make = createMakePreview({
    converterPool,
    cache: createPreviewCache({
      folder: previewFolderOf(config),
      maxBytes: maxCacheBytes,
      nowMs: runtime.nowMs,
      randomHex: () => Buffer.from(runtime.randomBytes(8)).toString('hex'),
      onFault,
    }),
    limiter: createKeyedLimiter({ maxConcurrent }),
    nowMs: runtime.nowMs,
    onLibraryMissing: () =>
      runtime.log('Images are shown as they are: the package sharp is missing or does not run here.'),
  })
  return {
    routes: previewRoutes({
      make,
      sniffs: !config.disableTypeDetectionByHeader,
      isEnabled: { thumb: !config.disableThumbnails, big: !config.disablePreviewResize },
    }),
    close: () => converterPool.close(),
  }
}
