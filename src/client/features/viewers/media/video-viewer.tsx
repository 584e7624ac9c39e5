import { href } from '../../../api/href.ts'
import type { ViewerProps } from '../viewer.ts'
import styles from './media.module.css'

/** Plays a video with the controls of the browser. */
export const VideoViewer = ({ path, onBroken }: ViewerProps) => (
  <video
    className={styles.video}
    src={href('raw.get', { path, query: { inline: true } })}
    controls
    playsInline
    onError={onBroken}
  >
    <track kind="captions" />
  </video>
)
