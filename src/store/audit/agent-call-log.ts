// Calls of agents in the change log: who called which tool, and how much it answered. Arguments are never kept, only
// their hash, by which a call can be told from others and recognised by whoever has its arguments.
import { hash } from 'node:crypto'
import type { Actor } from '../store.ts'
import { DelayedEntries, type LogParts } from './delayed-entries.ts'

export const AGENT_CALL = 'agent-call'

interface AgentCall extends Actor {
  /** The company that was asked; that of the caller where none was. */
  readonly companyId: string
  readonly tool: string
  /** As JSON; only its hash is written. */
  readonly argumentText: string
  /** How many records the answer holds. */
  readonly rows: number
  readonly outcome: 'answered' | 'refused' | 'failed'
  /** The program that called, as it calls itself; empty if it did not tell. */
  readonly program: string
}

export class AgentCallLog extends DelayedEntries {
  constructor(parts: LogParts) {
    super(parts, 'calls of agents')
  }

  /** Records a call; returns immediately. While too many wait for the database, it is only counted. */
  add(call: AgentCall): void {
    if (this.isFull) {
      this.lose()
      return
    }
    const { companyId, tool, argumentText, rows, outcome, program } = call
    const after = JSON.stringify({ outcome, rows, arguments: hash('sha256', argumentText), program })
    const change = { entity: AGENT_CALL, key: [tool], operation: 'call', before: '', after } as const
    this.enqueue(companyId, { actor: call, at: this.clock().toISOString(), change })
  }
}
