import { useEffect } from 'react'
import type { ReactNode } from 'react'
import { Icon } from './icon.tsx'
import type { IconName } from './icon.tsx'

/** Names the window after what it shows. */
export function useWindowTitle(title: string): void {
  useEffect(() => {
    document.title = `${title} – Sheaf`
  }, [title])
}

/** The head of a screen: its name, what belongs beside it, and its actions on the right. */
export function PageHead({
  title,
  sub,
  children,
}: {
  title: string
  sub?: ReactNode
  children?: ReactNode
}): ReactNode {
  useWindowTitle(title)
  return (
    <header className="page-head">
      <h1 title={title}>{title}</h1>
      {sub && <div className="page-head__sub">{sub}</div>}
      <div className="page-head__actions">{children}</div>
    </header>
  )
}

/** What stands where nothing is yet: why, and what to do. */
export function EmptyState({
  icon,
  title,
  text,
  children,
}: {
  icon: IconName
  title: string
  text: string
  children?: ReactNode
}): ReactNode {
  return (
    <div className="empty-state">
      <span className="empty-state__icon">
        <Icon name={icon} size={28} />
      </span>
      <h2>{title}</h2>
      <p>{text}</p>
      {children && <div className="empty-state__actions">{children}</div>}
    </div>
  )
}

/** A sentence that a person has to know, in a box that says how grave it is by shape and colour. */
export function Callout({
  kind,
  children,
  action,
}: {
  kind: 'info' | 'flag' | 'bad' | 'good'
  children: ReactNode
  action?: ReactNode
}): ReactNode {
  const icons: Record<typeof kind, IconName> = { info: 'info', flag: 'warning', bad: 'warning', good: 'check' }
  return (
    <div className={`callout callout--${kind}`} role={kind === 'bad' ? 'alert' : undefined}>
      <Icon name={icons[kind]} size={14} />
      <div className="callout__text">{children}</div>
      {action}
    </div>
  )
}
