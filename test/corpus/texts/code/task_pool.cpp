// A work-stealing thread pool for the renderer.

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <exception>
#include <functional>
#include <future>
#include <memory>
#include <mutex>
#include <optional>
#include <random>
#include <stdexcept>
#include <string>
#include <thread>
#include <type_traits>
#include <utility>
#include <vector>

namespace render {

class TaskPool {
public:
    using Task = std::function<void()>;

    struct Stats {
        std::uint64_t executed = 0;
        std::uint64_t stolen = 0;
        std::uint64_t slept = 0;
        std::size_t pending = 0;
    };

    explicit TaskPool(std::size_t threads = std::thread::hardware_concurrency());
    ~TaskPool();

    TaskPool(const TaskPool&) = delete;
    TaskPool& operator=(const TaskPool&) = delete;

    template <class F>
    auto submit(F&& work) -> std::future<std::invoke_result_t<F>>;

    template <class F>
    void parallel_for(std::size_t begin, std::size_t end, std::size_t grain, F&& body);

    void wait_idle();
    Stats stats() const;
    std::size_t size() const { return workers_.size(); }

private:
    struct Worker {
        std::deque<Task> queue;
        mutable std::mutex mutex;
        std::thread thread;
        std::atomic<std::uint64_t> executed{0};
        std::atomic<std::uint64_t> stolen{0};
    };

    void push(Task task);
    void run(std::size_t index);
    std::optional<Task> pop_own(Worker& worker);
    std::optional<Task> steal(std::size_t thief);
    void finish_one();

    std::vector<std::unique_ptr<Worker>> workers_;
    std::mutex sleep_mutex_;
    std::condition_variable work_ready_;
    std::condition_variable idle_;
    std::atomic<std::size_t> queued_{0};
    std::atomic<std::size_t> unfinished_{0};
    std::atomic<std::size_t> next_{0};
    std::atomic<std::uint64_t> slept_{0};
    std::atomic<bool> stopping_{false};

    static thread_local TaskPool* current_pool_;
    static thread_local std::size_t current_index_;
};

thread_local TaskPool* TaskPool::current_pool_ = nullptr;
thread_local std::size_t TaskPool::current_index_ = 0;

TaskPool::TaskPool(std::size_t threads)
{
    if (threads == 0) {
        threads = 1;
    }
    workers_.reserve(threads);
    for (std::size_t i = 0; i < threads; ++i) {
        workers_.push_back(std::make_unique<Worker>());
    }
    // Threads start only when every queue exists: a thief looks at all of them.
    for (std::size_t i = 0; i < threads; ++i) {
        workers_[i]->thread = std::thread([this, i] { run(i); });
    }
}

TaskPool::~TaskPool()
{
    {
        std::lock_guard<std::mutex> lock(sleep_mutex_);
        stopping_ = true;
    }
    work_ready_.notify_all();
    for (auto& worker : workers_) {
        worker->thread.join();
    }
}

template <class F>
auto TaskPool::submit(F&& work) -> std::future<std::invoke_result_t<F>>
{
    using Result = std::invoke_result_t<F>;
    auto task = std::make_shared<std::packaged_task<Result()>>(std::forward<F>(work));
    auto future = task->get_future();
    push([task] { (*task)(); });
    return future;
}

template <class F>
void TaskPool::parallel_for(std::size_t begin, std::size_t end, std::size_t grain, F&& body)
{
    if (begin >= end) {
        return;
    }
    grain = std::max<std::size_t>(grain, 1);
    std::vector<std::future<void>> parts;
    for (std::size_t at = begin; at < end; at += grain) {
        const std::size_t stop = std::min(at + grain, end);
        parts.push_back(submit([&body, at, stop] {
            for (std::size_t i = at; i < stop; ++i) {
                body(i);
            }
        }));
    }
    std::exception_ptr first;
    for (auto& part : parts) {
        // A worker that waits for its own children must help, or two nested loops lock up the pool.
        while (current_pool_ == this && part.wait_for(std::chrono::seconds(0)) != std::future_status::ready) {
            if (auto task = steal(current_index_)) {
                (*task)();
                finish_one();
            } else {
                std::this_thread::yield();
            }
        }
        try {
            part.get();
        } catch (...) {
            if (!first) {
                first = std::current_exception();
            }
        }
    }
    if (first) {
        std::rethrow_exception(first);
    }
}

void TaskPool::push(Task task)
{
    if (stopping_) {
        throw std::runtime_error("task pool is stopping");
    }
    const std::size_t index =
        current_pool_ == this ? current_index_ : next_.fetch_add(1, std::memory_order_relaxed) % workers_.size();
    unfinished_.fetch_add(1);
    {
        std::lock_guard<std::mutex> lock(workers_[index]->mutex);
        workers_[index]->queue.push_back(std::move(task));
    }
    queued_.fetch_add(1);
    {
        std::lock_guard<std::mutex> lock(sleep_mutex_);
    }
    work_ready_.notify_one();
}

void TaskPool::run(std::size_t index)
{
    current_pool_ = this;
    current_index_ = index;
    Worker& self = *workers_[index];
    for (;;) {
        std::optional<Task> task = pop_own(self);
        if (!task) {
            task = steal(index);
        }
        if (task) {
            (*task)();
            self.executed.fetch_add(1, std::memory_order_relaxed);
            finish_one();
            continue;
        }
        std::unique_lock<std::mutex> lock(sleep_mutex_);
        if (stopping_ && queued_ == 0) {
            return;
        }
        slept_.fetch_add(1, std::memory_order_relaxed);
        work_ready_.wait(lock, [this] { return stopping_ || queued_ > 0; });
        if (stopping_ && queued_ == 0) {
            return;
        }
    }
}

// The owner takes the newest task, whose data is still in its cache.
std::optional<TaskPool::Task> TaskPool::pop_own(Worker& worker)
{
    std::lock_guard<std::mutex> lock(worker.mutex);
    if (worker.queue.empty()) {
        return std::nullopt;
    }
    Task task = std::move(worker.queue.back());
    worker.queue.pop_back();
    queued_.fetch_sub(1);
    return task;
}

// A thief takes the oldest one, which is most likely to split into many more.
std::optional<TaskPool::Task> TaskPool::steal(std::size_t thief)
{
    static thread_local std::minstd_rand random{std::random_device{}()};
    const std::size_t count = workers_.size();
    const std::size_t start = random() % count;
    for (std::size_t i = 0; i < count; ++i) {
        Worker& victim = *workers_[(start + i) % count];
        std::unique_lock<std::mutex> lock(victim.mutex, std::try_to_lock);
        if (!lock || victim.queue.empty()) {
            continue;
        }
        Task task = std::move(victim.queue.front());
        victim.queue.pop_front();
        queued_.fetch_sub(1);
        workers_[thief]->stolen.fetch_add(1, std::memory_order_relaxed);
        return task;
    }
    return std::nullopt;
}

void TaskPool::finish_one()
{
    if (unfinished_.fetch_sub(1) == 1) {
        std::lock_guard<std::mutex> lock(sleep_mutex_);
        idle_.notify_all();
    }
}

void TaskPool::wait_idle()
{
    std::unique_lock<std::mutex> lock(sleep_mutex_);
    idle_.wait(lock, [this] { return unfinished_ == 0; });
}

TaskPool::Stats TaskPool::stats() const
{
    Stats stats;
    for (const auto& worker : workers_) {
        stats.executed += worker->executed.load(std::memory_order_relaxed);
        stats.stolen += worker->stolen.load(std::memory_order_relaxed);
        std::lock_guard<std::mutex> lock(worker->mutex);
        stats.pending += worker->queue.size();
    }
    stats.slept = slept_.load(std::memory_order_relaxed);
    return stats;
}

}  // namespace render
