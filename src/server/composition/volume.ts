import type { MemoryBudget } from '../config/memory-budget.ts'
import { createOwnFilesReader, type OwnFilesOptions } from '../config/own-files.ts'
import type { Config } from '../config/serving-options.ts'
import { ownFilesBase } from '../config/state-paths.ts'
import type { ServerRecords } from '../records/port.ts'
import type { Volume } from '../storage/port.ts'
import { createPosixVolume } from '../storage/posix/volume.ts'
import type { ServerRuntime } from './server-runtime.ts'

type VolumeDependencies = {
  readonly config: Config
  readonly runtime: OwnFilesOptions & Pick<ServerRuntime, 'nowMs' | 'storageThreads' | 'environment'>
  readonly memoryBudget: MemoryBudget
  readonly records: Pick<ServerRecords, 'uploads'>
  readonly onFault: (error: unknown) => void
}

/** The interval in milliseconds at which the server looks for staged files of servers that have ended. */
const stagedSweepMs = 60_000

/**
 * Opens the served folder. Removes the staged files that a previous run of the server left behind, except those of
 * uploads that can be continued.
 */
export async function composeVolume({
  config,
  runtime,
  memoryBudget,
  records,
  onFault,
}: VolumeDependencies): Promise<Volume> {
  const volume = createPosixVolume({
    root: config.root,
    fileMode: config.fileMode,
    dirMode: config.dirMode,
    reservedFiles: createOwnFilesReader(config, runtime.nowMs, runtime),
    followExternalSymlinks: config.followExternalSymlinks,
    deadlineMs: config.diskTimeout,
    ...(runtime.storageThreads !== undefined && { pool: runtime.storageThreads }),
    threads: memoryBudget.storageThreads,
    idleThreadCheckMs: memoryBudget.idleThreadCheckMs,
    nodeThreads: Number(runtime.environment?.['UV_THREADPOOL_SIZE'] ?? 4),
    stateFolder: `${ownFilesBase(config)}.staged`,
    nowMs: runtime.nowMs,
  })
  const sweep = async () => {
    await volume.sweep(async () => (await records.uploads.list()).map(({ token }) => token))
  }
  await sweep()
  const sweeper = setInterval(() => void sweep().catch(onFault), stagedSweepMs).unref()
  const close = async () => {
    clearInterval(sweeper)
    await volume.close()
  }
  return { ...volume, close }
}
