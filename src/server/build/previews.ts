import { previewFolderOf } from '../config/preview-folder.ts'
import type { Config } from '../config/serving-options.ts'
import type { Route } from '../http/route.ts'
import { conversionLimits } from '../previews/conversion.ts'
import { createConverters } from '../previews/converters.ts'
import { createMakePreview } from '../previews/make-preview.ts'
import { createPreviewCache } from '../previews/preview-cache.ts'
import { previewRoutes } from '../previews/routes.ts'
import { createTurns } from '../turns/turns.ts'

type Needs = {
  readonly config: Config
  readonly world: {
    readonly nowMs: () => number
    readonly randomBytes: (count: number) => Uint8Array
    readonly log: (line: string) => void
  }
  readonly onFault: (error: unknown) => void
}

export type Previews = { readonly routes: readonly Route[]; close(): void }

const mostCachedBytes = 512 * 1024 * 1024

/** Previews of images: the processes that make them, where they are kept, and their call. */
export function openPreviews({ config, world, onFault }: Needs): Previews {
  const { timeMs, processBytes, atOncePerPerson } = conversionLimits
  const converters = createConverters({
    entry: new URL('../previews/converting-process.ts', import.meta.url),
    processes: config.imageProcessors,
    timeMs,
    processBytes,
    mostPixels: config.maxImagePixels,
    onFault,
  })
  const make = createMakePreview({
    converters,
    cache: createPreviewCache({
      folder: previewFolderOf(config),
      mostBytes: mostCachedBytes,
      nowMs: world.nowMs,
      randomHex: () => Buffer.from(world.randomBytes(8)).toString('hex'),
      onFault,
    }),
    turns: createTurns({ atOnce: atOncePerPerson }),
    nowMs: world.nowMs,
    onMissing: () =>
      world.log('Images are shown as they are: the package sharp is missing or does not run here.'),
  })
  return {
    routes: previewRoutes({
      make,
      sniffs: !config.disableTypeDetectionByHeader,
      isOn: { thumb: !config.disableThumbnails, big: !config.disablePreviewResize },
    }),
    close: () => converters.close(),
  }
}
