import { href } from '../../../api/href.ts'
import type { ViewerProps } from '../viewer.ts'
import styles from './media.module.css'

/** Plays a sound file with the controls of the browser. */
export const AudioViewer = ({ path, onBroken }: ViewerProps) => (
  <audio
    className={styles.audio}
    src={href('raw.get', { path, query: { inline: true } })}
    controls
    onError={onBroken}
  >
    <track kind="captions" />
  </audio>
)
