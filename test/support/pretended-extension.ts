// What the command to distribute asks the extension Citus, as plain SQL on a server without it: tables are only marked
// as distributed. The real extension is used where a run is given a cluster (`cluster.ts`).
import { asSuperuser, queryOn } from './test-database.ts'

interface Pretended {
  readonly version?: string
  readonly workers?: number
  readonly hasCoordinator?: boolean
  /** The setting that the workers have. */
  readonly walLevel?: string
}

export async function pretendExtension(url: string, pretended: Pretended = {}): Promise<void> {
  const { version = '13.2-1', workers = 2, hasCoordinator = true, walLevel = 'logical' } = pretended
  const nodes = [...(hasCoordinator ? [0] : []), ...Array.from({ length: workers }, (_, at) => at + 1)]
  await queryOn(
    asSuperuser(url),
    `drop table if exists pg_dist_node, pg_dist_partition;
    create table pg_dist_partition (logicalrelid regclass);
    create table pg_dist_node (nodename text, nodeport int, groupid int, noderole text, shouldhaveshards boolean, isactive boolean);
    create or replace function create_distributed_table(name regclass, key text, colocate_with text) returns void
      language sql security definer as $$ insert into pg_dist_partition values (name) $$;
    create or replace function create_reference_table(name regclass) returns void
      language sql security definer as $$ insert into pg_dist_partition values (name) $$;
    create or replace function citus_add_local_table_to_metadata(name regclass) returns void
      language sql security definer as $$ insert into pg_dist_partition values (name) $$;
    create or replace function truncate_local_data_after_distributing_table(name regclass) returns void
      language sql as $$ $$;
    create or replace function run_command_on_workers(command text)
      returns table (nodename text, nodeport int, success boolean, result text)
      language sql as $$ select 'db1', 5432, true, case command when 'show jit' then 'off' else '${walLevel}' end $$;
    grant select on pg_dist_node, pg_dist_partition to public;`,
    'set allow_system_table_mods = on',
    "delete from pg_extension where extname = 'citus'",
    `insert into pg_extension (oid, extname, extowner, extnamespace, extrelocatable, extversion)
      values (99999, 'citus', 10, 'public'::regnamespace, false, '${version}')`,
    ...nodes.map((id) => `insert into pg_dist_node values ('db${id}', 5432, ${id}, 'primary', ${id > 0}, true)`),
  )
}

/** Makes the distribution of a table wait, as a large one does. */
export async function delayTable(url: string, table: string, seconds: number): Promise<void> {
  await queryOn(
    asSuperuser(url),
    `create or replace function create_distributed_table(name regclass, key text, colocate_with text) returns void
      language plpgsql security definer as $$
      begin
        if name = '${table}'::regclass then perform pg_sleep(${seconds}); end if;
        insert into pg_dist_partition values (name);
      end $$`,
  )
}
