import type { ReactNode } from 'react'
import { Button, Disclosure, DisclosurePanel, Heading } from 'react-aria-components'
import { Icon } from '../../components/icon.tsx'

/** A part that most people need not open; what is chosen in it is said beside its name. */
export function Fold({ title, summary, children }: { title: string; summary: string; children: ReactNode }): ReactNode {
  return (
    <Disclosure className="fold">
      <Heading level={2} className="fold__heading">
        <Button slot="trigger" className="fold__button">
          <Icon name="chevron" size={12} />
          <span className="fold__title">{title}</span>
          <span className="fold__summary ellipsis" title={summary}>
            {summary}
          </span>
        </Button>
      </Heading>
      <DisclosurePanel className="fold__panel">
        <div className="fold__content">{children}</div>
      </DisclosurePanel>
    </Disclosure>
  )
}
