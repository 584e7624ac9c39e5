import { ViewerLoading } from '../frame/viewer-loading.tsx'
import { ViewerFrame } from '../frame/viewer-frame.tsx'
import type { ViewerProps } from '../viewer.ts'
import { SinglePage } from './comic-page.tsx'
import { ComicReader } from './comic-reader.tsx'
import { useComic } from './use-comic.ts'
import styles from './comic.module.css'

/** Shows a comic in the format CBZ, which is a ZIP archive of images. The quick look shows its first page. */
export function ComicViewer({ file, isQuick, onBroken }: Pick<ViewerProps, 'file' | 'isQuick' | 'onBroken'>) {
  const comic = useComic(file, onBroken)
  if (comic === null) return <ViewerLoading />
  if (!isQuick) return <ComicReader key={file.versionKey} file={file} comic={comic} />
  return (
    <ViewerFrame part="comic" look="document" ground="sunken">
      <div className={styles.stage}>
        <SinglePage comic={comic} index={0} isHidden={false} />
      </div>
    </ViewerFrame>
  )
}
