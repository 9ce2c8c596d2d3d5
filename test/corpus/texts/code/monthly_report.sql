-- Revenue report for finance, run on the first working day of each month by the reporting job.
-- Parameters: :month_start (date), :currency (text)

with months as (
    select
        date_trunc('month', cast(:month_start as date)) as this_month,
        date_trunc('month', cast(:month_start as date)) - interval '1 month' as last_month,
        date_trunc('month', cast(:month_start as date)) + interval '1 month' as next_month
),

subscriptions_in_month as (
    select
        s.id,
        s.account_id,
        s.plan_code,
        s.seats,
        p.price_cents,
        p.billing_period,
        greatest(s.started_at, m.this_month) as from_time,
        least(coalesce(s.ended_at, m.next_month), m.next_month) as to_time
    from subscriptions s
    join plans p on p.code = s.plan_code
    cross join months m
    where s.started_at < m.next_month
      and (s.ended_at is null or s.ended_at > m.this_month)
      and s.is_trial = false
),

recurring as (
    select
        account_id,
        sum(
            case billing_period
                when 'month' then price_cents * seats
                when 'year' then price_cents * seats / 12.0
                when 'quarter' then price_cents * seats / 3.0
            end
            * extract(epoch from (to_time - from_time))
            / extract(epoch from (select next_month - this_month from months))
        ) as recurring_cents
    from subscriptions_in_month
    group by account_id
),

usage_charges as (
    select
        u.account_id,
        sum(greatest(0, u.units - i.included_units) * i.overage_cents) as usage_cents
    from (
        select account_id, meter, sum(quantity) as units
        from usage_events
        cross join months
        where happened_at >= months.this_month
          and happened_at < months.next_month
        group by account_id, meter
    ) u
    join included_usage i on i.account_id = u.account_id and i.meter = u.meter
    group by u.account_id
),

credits as (
    select
        account_id,
        sum(amount_cents) as credit_cents
    from credit_notes
    cross join months
    where issued_at >= months.this_month
      and issued_at < months.next_month
      and state <> 'draft'
    group by account_id
),

totals as (
    select
        a.id as account_id,
        a.name,
        a.country,
        a.segment,
        coalesce(r.recurring_cents, 0) as recurring_cents,
        coalesce(u.usage_cents, 0) as usage_cents,
        coalesce(c.credit_cents, 0) as credit_cents
    from accounts a
    left join recurring r on r.account_id = a.id
    left join usage_charges u on u.account_id = a.id
    left join credits c on c.account_id = a.id
    where a.currency = :currency
      and a.is_internal = false
),

previous as (
    select account_id, net_cents
    from monthly_revenue
    cross join months
    where month = months.last_month
)

select
    t.segment,
    t.country,
    count(*) filter (where t.recurring_cents > 0) as paying_accounts,
    round(sum(t.recurring_cents) / 100, 2) as recurring,
    round(sum(t.usage_cents) / 100, 2) as usage,
    round(sum(t.credit_cents) / 100, 2) as credits,
    round(sum(t.recurring_cents + t.usage_cents - t.credit_cents) / 100, 2) as net,
    round(
        100.0 * (sum(t.recurring_cents + t.usage_cents - t.credit_cents) - sum(p.net_cents))
        / nullif(sum(p.net_cents), 0),
        1
    ) as growth_percent,
    count(*) filter (where p.net_cents > 0 and t.recurring_cents = 0) as churned_accounts,
    count(*) filter (where p.net_cents is null and t.recurring_cents > 0) as new_accounts
from totals t
left join previous p on p.account_id = t.account_id
group by grouping sets ((t.segment, t.country), (t.segment), ())
order by t.segment nulls last, t.country nulls last;
