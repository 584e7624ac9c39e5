import styles from './media.module.css'

/** Renders the subtitles of a moment, those for the upper half of the picture above and the others below. */
export const CueTexts = ({ cues }: { readonly cues: readonly VTTCue[] }) => (
  <>
    <CueGroup place="top" cues={cues.filter(isAtTop)} />
    <CueGroup place="bottom" cues={cues.filter((cue) => !isAtTop(cue))} />
  </>
)

const CueGroup = ({
  place,
  cues,
}: {
  readonly place: 'top' | 'bottom'
  readonly cues: readonly VTTCue[]
}) => (
  <div className={styles.cues} data-place={place} data-part="cues">
    {cues.map((cue) => (
      <p key={`${cue.startTime} ${cue.endTime} ${cue.text}`} className={styles.cue} dir="auto">
        <span ref={(element) => element?.replaceChildren(cue.getCueAsHTML())} />
      </p>
    ))}
  </div>
)

/** A line is a number of lines from the top, or a percentage of the height. Negative numbers count from the bottom. */
const isAtTop = ({ line, snapToLines }: VTTCue): boolean =>
  line !== 'auto' && (snapToLines ? line >= 0 && line < 6 : line < 50)
