// A streaming replica: a server that replays the log of the one that is written to.
import pg from 'pg'
import type { ReplayPlace, Replica } from '../../store/replica-watch.ts'
import type { Store } from '../../store/store.ts'

const CONNECT_MS = 2_000

interface Place {
  readonly cluster: string
  readonly is_replica: boolean
  readonly place: string
}

/** The identifier is that of the files: a copy that is made row by row has another one. */
function placeText(place: string): string {
  return `select system_identifier::text as cluster, pg_is_in_recovery() as is_replica, pg_wal_lsn_diff(${place}, '0/0')::text as place from pg_control_system()`
}

const PRIMARY = placeText('pg_current_wal_lsn()')
const REPLICA = placeText('pg_last_wal_replay_lsn()')

/** Does not wait for the replica, which may come later. `store`: of the replica. */
export function watchedReplica(store: Store, primaryUrl: string, replicaUrl: string): Replica {
  const [primary, replica] = [poolOf(primaryUrl), poolOf(replicaUrl)]
  let cluster = ''
  return {
    store,
    placeOfPrimary: async () => {
      const found = await placeIn(primary, PRIMARY)
      cluster = found.cluster
      return numberOf(found)
    },
    placeOfReplica: async () => {
      const found = await placeIn(replica, REPLICA)
      if (!found.is_replica) throw new Error('it is no replica')
      if (found.cluster !== cluster) throw new Error('it is a replica of another database')
      return numberOf(found)
    },
    close: async () => {
      await Promise.all([primary.end(), replica.end(), store.close()])
    },
  }
}

function poolOf(url: string): pg.Pool {
  const pool = new pg.Pool({
    connectionString: url,
    max: 1,
    connectionTimeoutMillis: CONNECT_MS,
    query_timeout: CONNECT_MS,
    application_name: 'tabularium replica',
  })
  // The loss of an idle session is found by the next question.
  pool.on('error', () => {})
  return pool
}

async function placeIn(pool: pg.Pool, text: string): Promise<Place> {
  const { rows } = await pool.query<Place>(text)
  const [place] = rows
  if (!place) throw new Error('the database does not tell its place')
  return place
}

/** Bytes since the beginning, which stay below 2^53 for some centuries. */
function numberOf({ place }: Place): ReplayPlace {
  return Number(place)
}
