import { announcements } from '../state/announcements.ts'
import { useStore } from '../state/store.ts'

/**
 * Renders the live regions from which screen readers read the texts of `announce`. The component stays mounted as long
 * as the page is open.
 */
export function LiveRegion() {
  const polite = useStore(announcements.polite)
  const assertive = useStore(announcements.assertive)
  return (
    <>
      <div className="visually-hidden" aria-live="polite">
        <span key={polite.id}>{polite.text}</span>
      </div>
      <div className="visually-hidden" aria-live="assertive">
        <span key={assertive.id}>{assertive.text}</span>
      </div>
    </>
  )
}
