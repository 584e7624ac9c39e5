import { announcements } from '../state/announcements.ts'
import { useStore } from '../state/store.ts'

/** Where `announce` speaks. Mounted once, for the whole life of the page. */
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
