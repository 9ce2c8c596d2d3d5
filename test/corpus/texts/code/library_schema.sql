-- Schema of the lending service. Applied by the migration runner in one transaction.

create table branches (
    id          bigint generated always as identity primary key,
    code        text not null unique check (code ~ '^[A-Z]{3}$'),
    name        text not null,
    time_zone   text not null default 'Europe/Brussels',
    opened_on   date not null default current_date
);

create table members (
    id            bigint generated always as identity primary key,
    card_number   text not null unique,
    full_name     text not null,
    email         text,
    born_on       date,
    home_branch   bigint not null references branches (id),
    blocked_until date,
    created_at    timestamptz not null default now(),
    deleted_at    timestamptz
);

create unique index members_email_once on members (lower(email)) where deleted_at is null;

create table titles (
    id           bigint generated always as identity primary key,
    isbn         text unique,
    title        text not null,
    authors      text[] not null default '{}',
    published    smallint check (published between 1450 and 2100),
    language     char(2) not null default 'en',
    search       tsvector generated always as (
        setweight(to_tsvector('simple', title), 'A')
    ) stored
);

create index titles_search on titles using gin (search);

create table copies (
    id          bigint generated always as identity primary key,
    title_id    bigint not null references titles (id) on delete restrict,
    branch_id   bigint not null references branches (id),
    barcode     text not null unique,
    condition   text not null default 'good' check (condition in ('new', 'good', 'worn', 'damaged', 'lost')),
    acquired_on date not null default current_date,
    price_cents integer not null check (price_cents >= 0)
);

create table loans (
    id          bigint generated always as identity primary key,
    copy_id     bigint not null references copies (id),
    member_id   bigint not null references members (id),
    lent_at     timestamptz not null default now(),
    due_on      date not null,
    returned_at timestamptz,
    renewals    smallint not null default 0 check (renewals <= 3),
    check (returned_at is null or returned_at >= lent_at)
);

-- A copy can be in one pair of hands only.
create unique index loans_one_open_per_copy on loans (copy_id) where returned_at is null;
create index loans_by_member on loans (member_id, lent_at desc);
create index loans_overdue on loans (due_on) where returned_at is null;

create table holds (
    id         bigint generated always as identity primary key,
    title_id   bigint not null references titles (id),
    member_id  bigint not null references members (id),
    branch_id  bigint not null references branches (id),
    placed_at  timestamptz not null default now(),
    ready_at   timestamptz,
    expires_on date,
    state      text not null default 'waiting' check (state in ('waiting', 'ready', 'collected', 'expired', 'cancelled')),
    unique nulls not distinct (title_id, member_id, state)
);

create table fines (
    id         bigint generated always as identity primary key,
    loan_id    bigint not null references loans (id),
    member_id  bigint not null references members (id),
    cents      integer not null check (cents > 0),
    reason     text not null check (reason in ('late', 'lost', 'damaged')),
    raised_at  timestamptz not null default now(),
    paid_at    timestamptz,
    waived_by  text
);

create table audit (
    id      bigint generated always as identity primary key,
    at      timestamptz not null default now(),
    actor   text not null default current_user,
    action  text not null,
    subject text not null,
    before  jsonb,
    after   jsonb
);

create function days_late(loan loans) returns integer
    language sql stable
as $$
    select greatest(0, coalesce(loan.returned_at::date, current_date) - loan.due_on)
$$;

-- Ten cents a day after a grace of three days, never more than the book costs.
create function fine_for(loan loans) returns integer
    language sql stable
as $$
    select least(
        greatest(0, days_late(loan) - 3) * 10,
        (select price_cents from copies where id = loan.copy_id)
    )
$$;

create function lend(p_barcode text, p_card text) returns loans
    language plpgsql
as $$
declare
    the_copy   copies;
    the_member members;
    open_loans integer;
    owed       integer;
    result     loans;
begin
    select * into strict the_copy from copies where barcode = p_barcode for update;
    select * into strict the_member from members where card_number = p_card and deleted_at is null;

    if the_copy.condition in ('damaged', 'lost') then
        raise exception 'copy % is %', p_barcode, the_copy.condition using errcode = 'LB001';
    end if;
    if the_member.blocked_until >= current_date then
        raise exception 'card % is blocked until %', p_card, the_member.blocked_until using errcode = 'LB002';
    end if;

    select count(*) into open_loans from loans where member_id = the_member.id and returned_at is null;
    if open_loans >= case when the_member.born_on > current_date - interval '12 years' then 20 else 10 end then
        raise exception 'card % has % open loans', p_card, open_loans using errcode = 'LB003';
    end if;

    select coalesce(sum(cents), 0) into owed
    from fines where member_id = the_member.id and paid_at is null and waived_by is null;
    if owed > 500 then
        raise exception 'card % owes % cents', p_card, owed using errcode = 'LB004';
    end if;

    if exists (
        select from holds
        where title_id = the_copy.title_id and state = 'ready' and branch_id = the_copy.branch_id
          and member_id <> the_member.id
        having count(*) >= (
            select count(*) from copies c
            where c.title_id = the_copy.title_id and c.branch_id = the_copy.branch_id
              and not exists (select from loans l where l.copy_id = c.id and l.returned_at is null)
        )
    ) then
        raise exception 'the last copy is kept for somebody else' using errcode = 'LB005';
    end if;

    insert into loans (copy_id, member_id, due_on)
    values (the_copy.id, the_member.id, current_date + 21)
    returning * into result;

    update holds set state = 'collected'
    where title_id = the_copy.title_id and member_id = the_member.id and state in ('waiting', 'ready');
    return result;
end
$$;

create function take_back(p_barcode text) returns loans
    language plpgsql
as $$
declare
    result loans;
    amount integer;
begin
    update loans set returned_at = now()
    from copies
    where copies.id = loans.copy_id and copies.barcode = p_barcode and loans.returned_at is null
    returning loans.* into result;
    if not found then
        raise exception 'copy % is not on loan', p_barcode using errcode = 'LB006';
    end if;
    amount := fine_for(result);
    if amount > 0 then
        insert into fines (loan_id, member_id, cents, reason) values (result.id, result.member_id, amount, 'late');
    end if;
    return result;
end
$$;

create view overdue as
select m.card_number, m.full_name, m.email, t.title, l.due_on, days_late(l) as days, fine_for(l) as cents
from loans l
join members m on m.id = l.member_id
join copies c on c.id = l.copy_id
join titles t on t.id = c.title_id
where l.returned_at is null and l.due_on < current_date;

create function audit_members() returns trigger
    language plpgsql
as $$
begin
    insert into audit (action, subject, before, after)
    values (lower(tg_op), 'members/' || coalesce(new.id, old.id), to_jsonb(old), to_jsonb(new));
    return coalesce(new, old);
end
$$;

create trigger members_audited
    after insert or update or delete on members
    for each row execute function audit_members();

grant select, insert, update on all tables in schema public to lending_app;
revoke insert, update on audit from lending_app;
grant execute on function lend(text, text), take_back(text) to lending_app;
