import { lstatSync } from 'node:fs'
import { expect, onTestFinished, test } from 'vitest'
import { temporaryFolder } from '../../../../../test/kit/temporary-folder.ts'
import { diskPathOf } from '../../disk-path.ts'
import { createFolderWatcher } from './folder-watcher.ts'

/** Watches a folder, and returns its version once the watch has started. */
async function versionOf(realPath: string) {
  const watcher = createFolderWatcher()
  onTestFinished(() => watcher.close())
  const { promise: hasStarted, resolve, reject } = Promise.withResolvers<void>()
  const { dev, ino } = lstatSync(realPath, { bigint: true })
  const onEnd = () => reject(new Error('the folder is not watched'))
  const watch = watcher.watch(
    { realPath: diskPathOf(realPath), dev, ino },
    { onStart: resolve, onEnd, onGone: onEnd, onChange: () => {} },
  )
  await hasStarted
  return watch.version()
}

test.skipIf(process.platform !== 'linux')(
  'a watched folder has a version only on a file system that no other machine can change',
  async () => {
    expect(await versionOf(temporaryFolder())).not.toBeNull()
    // This one is not on the list of local file systems, as those of clusters are not.
    expect(await versionOf('/sys/fs')).toBeNull()
  },
)
