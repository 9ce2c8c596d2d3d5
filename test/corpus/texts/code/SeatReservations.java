package com.example.cinema;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.Collectors;

/** Seats of all screenings: held for a while during checkout, then sold or free again. */
public class SeatReservations implements AutoCloseable {

    public static final Duration HOLD_TIME = Duration.ofMinutes(8);
    private static final int MAX_SEATS_PER_HOLD = 10;
    private static final Duration SWEEP_INTERVAL = Duration.ofSeconds(30);

    public enum State { FREE, HELD, SOLD, BLOCKED }

    public record Seat(char row, int number) implements Comparable<Seat> {
        @Override
        public int compareTo(Seat other) {
            int byRow = Character.compare(row, other.row);
            return byRow != 0 ? byRow : Integer.compare(number, other.number);
        }

        @Override
        public String toString() {
            return row + Integer.toString(number);
        }
    }

    public record Hold(UUID id, String screening, Set<Seat> seats, String customer, Instant expires) {}

    private static final class Screening {
        final String id;
        final ReentrantLock lock = new ReentrantLock();
        final Map<Seat, State> states = new HashMap<>();
        final Map<UUID, Hold> holds = new LinkedHashMap<>();
        Instant starts;

        Screening(String id, Collection<Seat> seats, Instant starts) {
            this.id = id;
            this.starts = starts;
            seats.forEach(seat -> states.put(seat, State.FREE));
        }
    }

    private final Map<String, Screening> screenings = new ConcurrentHashMap<>();
    private final Map<UUID, String> screeningOfHold = new ConcurrentHashMap<>();
    private final List<Listener> listeners = new ArrayList<>();
    private final ScheduledExecutorService sweeper = Executors.newSingleThreadScheduledExecutor();
    private final Clock clock;

    public interface Listener {
        void seatsChanged(String screening, Set<Seat> seats, State state);
    }

    public SeatReservations(Clock clock) {
        this.clock = clock;
        sweeper.scheduleWithFixedDelay(
                this::sweep, SWEEP_INTERVAL.toMillis(), SWEEP_INTERVAL.toMillis(), TimeUnit.MILLISECONDS);
    }

    public void addScreening(String id, int rows, int seatsPerRow, Instant starts) {
        List<Seat> seats = new ArrayList<>();
        for (int row = 0; row < rows; row++) {
            for (int number = 1; number <= seatsPerRow; number++) {
                seats.add(new Seat((char) ('A' + row), number));
            }
        }
        if (screenings.putIfAbsent(id, new Screening(id, seats, starts)) != null) {
            throw new IllegalArgumentException("screening " + id + " exists");
        }
    }

    public synchronized void addListener(Listener listener) {
        listeners.add(listener);
    }

    /** Holds the given seats for one customer, all of them or none. */
    public Hold hold(String screeningId, Set<Seat> wanted, String customer) {
        if (wanted.isEmpty() || wanted.size() > MAX_SEATS_PER_HOLD) {
            throw new IllegalArgumentException("one to " + MAX_SEATS_PER_HOLD + " seats");
        }
        Screening screening = require(screeningId);
        Hold hold;
        screening.lock.lock();
        try {
            dropExpired(screening);
            Set<Seat> taken = wanted.stream()
                    .filter(seat -> screening.states.get(seat) != State.FREE)
                    .collect(Collectors.toCollection(TreeSet::new));
            if (!taken.isEmpty()) {
                throw new SeatsTakenException(taken);
            }
            if (leavesSingleGap(screening, wanted)) {
                throw new IllegalArgumentException("that would leave a single seat which nobody wants");
            }
            hold = new Hold(UUID.randomUUID(), screeningId, Set.copyOf(wanted), customer, clock.instant().plus(HOLD_TIME));
            wanted.forEach(seat -> screening.states.put(seat, State.HELD));
            screening.holds.put(hold.id(), hold);
            screeningOfHold.put(hold.id(), screeningId);
        } finally {
            screening.lock.unlock();
        }
        notifyListeners(screeningId, hold.seats(), State.HELD);
        return hold;
    }

    /** Turns a hold into a sale; fails when the hold ran out in the meantime. */
    public void sell(UUID holdId) {
        Screening screening = screeningOf(holdId);
        Hold hold;
        screening.lock.lock();
        try {
            hold = screening.holds.get(holdId);
            if (hold == null || hold.expires().isBefore(clock.instant())) {
                throw new HoldExpiredException(holdId);
            }
            screening.holds.remove(holdId);
            screeningOfHold.remove(holdId);
            hold.seats().forEach(seat -> screening.states.put(seat, State.SOLD));
        } finally {
            screening.lock.unlock();
        }
        notifyListeners(screening.id, hold.seats(), State.SOLD);
    }

    public void release(UUID holdId) {
        Screening screening = screeningOf(holdId);
        Set<Seat> seats;
        screening.lock.lock();
        try {
            Hold hold = screening.holds.remove(holdId);
            screeningOfHold.remove(holdId);
            if (hold == null) {
                return;
            }
            seats = hold.seats();
            seats.forEach(seat -> screening.states.put(seat, State.FREE));
        } finally {
            screening.lock.unlock();
        }
        notifyListeners(screening.id, seats, State.FREE);
    }

    /** Gives a customer more time, e.g. while the bank asks for a second factor. Only once per hold. */
    public Hold extend(UUID holdId) {
        Screening screening = screeningOf(holdId);
        screening.lock.lock();
        try {
            Hold hold = Optional.ofNullable(screening.holds.get(holdId)).orElseThrow(() -> new HoldExpiredException(holdId));
            Instant latest = clock.instant().plus(HOLD_TIME);
            if (Duration.between(clock.instant(), hold.expires()).compareTo(HOLD_TIME.dividedBy(2)) > 0) {
                return hold;
            }
            Hold longer = new Hold(hold.id(), hold.screening(), hold.seats(), hold.customer(), latest);
            screening.holds.put(holdId, longer);
            return longer;
        } finally {
            screening.lock.unlock();
        }
    }

    public Map<Seat, State> plan(String screeningId) {
        Screening screening = require(screeningId);
        screening.lock.lock();
        try {
            dropExpired(screening);
            return Map.copyOf(screening.states);
        } finally {
            screening.lock.unlock();
        }
    }

    /** The best adjacent free seats: middle rows first, close to the centre of the row. */
    public Optional<List<Seat>> suggest(String screeningId, int count) {
        Map<Seat, State> plan = plan(screeningId);
        List<Character> rows = plan.keySet().stream().map(Seat::row).distinct().sorted().toList();
        double middleRow = rows.size() * 0.6;
        return rows.stream()
                .sorted(Comparator.comparingDouble(row -> Math.abs(rows.indexOf(row) - middleRow)))
                .flatMap(row -> bestInRow(plan, row, count).stream())
                .findFirst();
    }

    private Optional<List<Seat>> bestInRow(Map<Seat, State> plan, char row, int count) {
        List<Seat> seats = plan.keySet().stream().filter(seat -> seat.row() == row).sorted().toList();
        double centre = (seats.size() + 1) / 2.0;
        List<Seat> best = null;
        double bestDistance = Double.MAX_VALUE;
        for (int start = 0; start + count <= seats.size(); start++) {
            List<Seat> run = seats.subList(start, start + count);
            if (run.stream().anyMatch(seat -> plan.get(seat) != State.FREE)) {
                continue;
            }
            double distance = Math.abs(run.get(0).number() + (count - 1) / 2.0 - centre);
            if (distance < bestDistance) {
                bestDistance = distance;
                best = run;
            }
        }
        return Optional.ofNullable(best);
    }

    private boolean leavesSingleGap(Screening screening, Set<Seat> wanted) {
        for (Seat seat : wanted) {
            for (int side : new int[] {-1, 1}) {
                Seat neighbour = new Seat(seat.row(), seat.number() + side);
                Seat beyond = new Seat(seat.row(), seat.number() + 2 * side);
                if (screening.states.get(neighbour) == State.FREE
                        && !wanted.contains(neighbour)
                        && screening.states.getOrDefault(beyond, State.BLOCKED) != State.FREE) {
                    return true;
                }
            }
        }
        return false;
    }

    private void sweep() {
        for (Screening screening : screenings.values()) {
            Set<Seat> freed;
            screening.lock.lock();
            try {
                freed = dropExpired(screening);
            } finally {
                screening.lock.unlock();
            }
            if (!freed.isEmpty()) {
                notifyListeners(screening.id, freed, State.FREE);
            }
        }
        screenings.values().removeIf(screening -> screening.starts.plus(Duration.ofHours(6)).isBefore(clock.instant()));
    }

    private Set<Seat> dropExpired(Screening screening) {
        Instant now = clock.instant();
        Set<Seat> freed = new TreeSet<>();
        screening.holds.values().removeIf(hold -> {
            if (!hold.expires().isBefore(now)) {
                return false;
            }
            hold.seats().forEach(seat -> screening.states.put(seat, State.FREE));
            freed.addAll(hold.seats());
            screeningOfHold.remove(hold.id());
            return true;
        });
        return freed;
    }

    private void notifyListeners(String screening, Set<Seat> seats, State state) {
        List<Listener> copy;
        synchronized (this) {
            copy = List.copyOf(listeners);
        }
        copy.forEach(listener -> listener.seatsChanged(screening, seats, state));
    }

    private Screening screeningOf(UUID holdId) {
        String screening = screeningOfHold.get(holdId);
        if (screening == null) {
            throw new HoldExpiredException(holdId);
        }
        return require(screening);
    }

    private Screening require(String id) {
        Screening screening = screenings.get(id);
        if (screening == null) {
            throw new IllegalArgumentException("no screening " + id);
        }
        return screening;
    }

    @Override
    public void close() {
        sweeper.shutdownNow();
    }

    public static class SeatsTakenException extends RuntimeException {
        private static final long serialVersionUID = 1L;

        SeatsTakenException(Set<Seat> seats) {
            super("already taken: " + seats);
        }
    }

    public static class HoldExpiredException extends RuntimeException {
        private static final long serialVersionUID = 1L;

        HoldExpiredException(UUID id) {
            super("hold " + id + " ran out");
        }
    }
}
