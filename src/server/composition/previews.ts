import type { ServerFeature } from '../../shared/contract/page.ts'
import { previewFolderOf } from '../config/state-paths.ts'
import type { MemoryBudget } from '../config/memory-budget.ts'
import type { Config } from '../config/serving-options.ts'
import type { Route, RouteResponse } from '../http/route.ts'
import { conversionLimits } from '../previews/conversion.ts'
import { createConverterCommand } from '../previews/converter-command.ts'
import { createConverterPool } from '../previews/converter-pool.ts'
import { createGuestLimiters } from '../previews/guest-limiters.ts'
import { createMakePreview } from '../previews/make-preview.ts'
import { createPreviewCache } from '../previews/preview-cache.ts'
import { createPosterDrawer } from '../previews/draw-poster.ts'
import { posterFeatures } from '../previews/poster-kind.ts'
import {
  drawableKinds,
  findPosterPrograms,
  posterLimits,
  type PosterPrograms,
} from '../previews/poster-programs.ts'
import { createRemuxer, type Remuxer, type RemuxRequest } from '../previews/remux/remux.ts'
import { createRetryingSearch } from '../previews/retrying-search.ts'
import {
  previewResponder,
  previewRoutes,
  remuxResponder,
  takenResponder,
  type PreviewCall,
} from '../previews/routes.ts'
import { createTakenTimesLister, type TakenTimesRequest } from '../previews/taken/list-taken-times.ts'
import { monotonicMs } from '../storage/folder-watcher.ts'
import { createKeyedLimiter } from '../concurrency/keyed-limiter.ts'
import type { ProcessStarter } from '../programs/process-starter.ts'
import { findBubblewrap } from '../programs/find-bubblewrap.ts'
import type { ServerRuntime } from './server-runtime.ts'

/** The dependencies of previews. */
type PreviewModuleDependencies = {
  readonly startProcess: ProcessStarter
  readonly config: Config
  readonly memoryBudget: MemoryBudget
  readonly runtime: Pick<ServerRuntime, 'nowMs' | 'randomBytes' | 'log'>
  readonly onFault: (error: unknown) => void
}

/** The routes of the preview feature. `close` ends the processes that convert images. */
export type PreviewModule = {
  readonly routes: readonly Route[]
  /** The features that depend on the programs of this machine. */
  readonly features: readonly ServerFeature[]
  /** Sends a part of a media file in a container that browsers play. */
  readonly remux: (request: RemuxRequest) => Promise<RouteResponse>
  /** Sends a preview of a file. */
  readonly preview: (call: PreviewCall) => Promise<RouteResponse>
  /** Sends the times at which the pictures in a folder were taken. */
  readonly taken: (request: TakenTimesRequest) => Promise<RouteResponse>
  close(): void
}

/** The maximum size of the preview cache on disk: 512 MiB. */
const maxCacheBytes = 512 * 1024 * 1024

/**
 * The limits of conversions of media files. A player asks for one part after the other, and drops its request when the user
 * goes to another time. Four requests of one user or guest wait, for example those of several windows.
 */
const remuxLimits = {
  principal: { maxConcurrent: 1, maxQueued: 4 },
  server: { maxConcurrent: 2, maxQueued: 20, errorCode: 'overloaded' },
  // A part has up to 24 MiB. It is in memory until it has been sent, so clients that read slowly hold at most 240 MiB.
  principalParts: { maxConcurrent: 3, maxQueued: 4, maxWaitMs: 10_000 },
  parts: { maxConcurrent: 10, maxQueued: 20, maxWaitMs: 10_000, errorCode: 'overloaded' },
} as const

const createLimitedRemuxer = (programs: PosterPrograms, folder: string): Remuxer =>
  createRemuxer({
    programs,
    principalLimiter: createKeyedLimiter(remuxLimits.principal),
    limiter: createKeyedLimiter(remuxLimits.server),
    principalParts: createKeyedLimiter(remuxLimits.principalParts),
    parts: createKeyedLimiter(remuxLimits.parts),
    folder,
  })

/** Creates the search for a sandbox, and the function that logs once that previews are made without one. */
function createSandboxSearch(
  start: ProcessStarter,
  { nowMs, log }: Pick<PreviewModuleDependencies['runtime'], 'nowMs' | 'log'>,
) {
  let hasWarned = false
  const onUnsandboxed = (failure: string): void => {
    const [reason = ''] = failure.split('\n', 1)
    if (!hasWarned) log(`Warning: programs that make previews run without a sandbox: ${reason}`)
    hasWarned = true
  }
  const findSandbox = createRetryingSearch({
    async search() {
      const found = await findBubblewrap(start, {})
      if (!found.isUsable) onUnsandboxed(found.reason)
      return found
    },
    isGood: ({ isUsable }) => isUsable,
    nowMs,
  })
  return { findSandbox, onUnsandboxed }
}

type ConverterOptions = {
  readonly processes: number
  readonly sandboxSearch: ReturnType<typeof createSandboxSearch>
}

/** Creates the pool of the processes that convert images. */
const openConverters = (
  { startProcess: start, config, memoryBudget, runtime, onFault }: PreviewModuleDependencies,
  { processes, sandboxSearch }: ConverterOptions,
) =>
  createConverterPool({
    start,
    findCommand: createConverterCommand({
      start,
      entry: new URL('../previews/converter-process.ts', import.meta.url),
      isMemorySmall: memoryBudget.isSmall,
      nowMs: runtime.nowMs,
      ...sandboxSearch,
    }),
    processes,
    timeMs: conversionLimits.timeMs,
    processBytes: memoryBudget.converterBytes,
    maxPixels: config.maxImagePixels,
    onFault,
  })

/** Creates the preview feature with its converter processes, its cache and its routes. */
export async function composePreviews(dependencies: PreviewModuleDependencies): Promise<PreviewModule> {
  const { startProcess: start, config, memoryBudget, runtime, onFault } = dependencies
  const { nowMs } = runtime
  const sandboxSearch = createSandboxSearch(start, runtime)
  const processes = Math.min(config.imageProcessors, memoryBudget.converters)
  const converterPool = openConverters(dependencies, { processes, sandboxSearch })
  const programs = await findPosterPrograms(start, sandboxSearch.findSandbox)
  const posters = drawableKinds(programs.paths)
  const make = createMakePreview({
    converterPool,
    drawPoster: createPosterDrawer({
      programs,
      limiter: createKeyedLimiter({
        maxConcurrent: Math.min(posterLimits.maxConcurrent, memoryBudget.posters),
      }),
      folder: previewFolderOf(config),
    }),
    cache: createPreviewCache({
      folder: previewFolderOf(config),
      maxBytes: maxCacheBytes,
      nowMs,
      randomHex: () => Buffer.from(runtime.randomBytes(8)).toString('hex'),
      onFault,
    }),
    sourceBytes: memoryBudget.convertedImageBytes,
    limiter: createKeyedLimiter({ maxConcurrent: conversionLimits.maxConcurrentPerUser }),
    guests: createGuestLimiters(processes),
    nowMs,
    onLibraryMissing: () =>
      runtime.log('Images are shown as they are: the package sharp is missing or does not run here.'),
  })
  const preview = previewResponder({
    make,
    posters,
    sniffs: !config.disableTypeDetectionByHeader,
    isEnabled: {
      thumb: !config.disableThumbnails,
      tile: !config.disableThumbnails,
      big: !config.disablePreviewResize,
    },
  })
  const taken = takenResponder(createTakenTimesLister({ nowMs: monotonicMs }))
  return {
    features: [...posterFeatures(posters), ...(programs.paths.ffmpeg === null ? [] : (['remux'] as const))],
    remux: remuxResponder(createLimitedRemuxer(programs, previewFolderOf(config))),
    preview,
    taken,
    routes: previewRoutes({ preview, taken }),
    close: () => converterPool.close(),
  }
}
